// The part of Apache ECharts that the dashboard draws with, as `window.echarts`. Only what is imported here is
// shipped: every kind of chart and component is paid for in bytes.
import * as echarts from "echarts/core";
import { ScatterChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

echarts.use([ScatterChart, GridComponent, SVGRenderer]);

window.echarts = echarts;
