//! Moving between cells with the keyboard.

use web_sys::Element;

/// Rows that PageUp and PageDown pass.
const PAGE: usize = 12;

/// The cell that a key leads to; `None` for other keys and at the edges.
pub fn next(cell: &Element, key: &str) -> Option<Element> {
    let row = cell.parent_element()?;
    match key {
        "ArrowRight" => cell.next_element_sibling(),
        "ArrowLeft" => cell.previous_element_sibling(),
        "Home" => row.first_element_child(),
        "End" => row.last_element_child(),
        "ArrowDown" => beside(cell, &row, Element::next_element_sibling, 1),
        "ArrowUp" => beside(cell, &row, Element::previous_element_sibling, 1),
        "PageDown" => beside(cell, &row, Element::next_element_sibling, PAGE),
        "PageUp" => beside(cell, &row, Element::previous_element_sibling, PAGE),
        _ => None,
    }
}

/// The cell of the same column some rows away, or as far as there are rows.
fn beside(
    cell: &Element,
    row: &Element,
    step: fn(&Element) -> Option<Element>,
    rows: usize,
) -> Option<Element> {
    let mut at = 0;
    let mut before = cell.previous_element_sibling();
    while let Some(element) = before {
        at += 1;
        before = element.previous_element_sibling();
    }
    let mut target = step(row)?;
    for _ in 1..rows {
        match step(&target) {
            Some(further) => target = further,
            None => break,
        }
    }
    target.children().item(at)
}
