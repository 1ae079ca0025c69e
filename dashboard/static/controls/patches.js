// Applies the server's patches from a fragment (`screen.patches`).

import { apply } from "./url.js"

export function draw({ data }) {
  apply(data.changed)
}

export function unmount() {}
