// @ts-check
// Elements of the page.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties)
}

// Scrolls the page, which Streamlit puts into an element of its own.
export function scrollToTop() {
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}

// Returns a part of a component; Python writes its HTML.
/** @type {(parent: Element, selector: string) => HTMLElement} */
export function part(parent, selector) {
  const element = parent.querySelector(selector)
  if (!(element instanceof HTMLElement)) throw new Error(`The component has no ${selector}.`)
  return element
}
