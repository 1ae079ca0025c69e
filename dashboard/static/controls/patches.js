// @ts-check
// Applies the server's patches from a fragment (`screen.patches`).

import { apply } from "./url.js"

/** @import { Component, Patches } from "../types.js" */

/** @type {(component: Component<{ changed: Patches }>) => void} */
export function draw({ data }) {
  apply(data.changed)
}

export function unmount() {}
