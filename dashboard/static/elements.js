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

// Returns a part of a component; Python writes its HTML.
/** @type {(parent: Element, selector: string) => HTMLElement} */
export function part(parent, selector) {
  const element = parent.querySelector(selector)
  if (!(element instanceof HTMLElement)) throw new Error(`The component has no ${selector}.`)
  return element
}
