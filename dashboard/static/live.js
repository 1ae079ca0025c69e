// How long the server takes to answer a dial: the dials say when they ask, and the picture when it is drawn anew.

// In milliseconds: where an answer takes longer, one is asked for at a time; elsewhere Streamlit itself leaves out what is
// already old. An answer that never comes is not waited for.
const SLOW = 150
const LOST = 3000

let asked = null // when what is not answered yet was first asked
let took = 0
let next = null

export function ask() {
  asked ??= performance.now()
}

export function answered() {
  if (asked === null) return
  took = performance.now() - asked
  asked = null
  next?.()
  next = null
}

export function isBusy() {
  const since = asked === null ? 0 : performance.now() - asked
  if (since > LOST) asked = null
  // Where nothing ever answers there is no picture to wait for.
  return asked !== null && took > 0 && Math.max(took, since) > SLOW
}

export function whenFree(go) {
  next = go
  setTimeout(() => next === go && answered(), LOST)
}
