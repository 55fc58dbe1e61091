// The part of Apache ECharts that the dashboard draws with, as `window.echarts`. Only what is imported here is
// shipped: every kind of chart and component is paid for in bytes by the first view.
import * as echarts from "echarts/core";
import { BarChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

echarts.use([ScatterChart, BarChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

window.echarts = echarts;
