// Two requests at a time: the dials ask for a picture of where they are, and the picture that is drawn says which request it
// answers. So the server draws one while the browser still has to do with the one before. Of more at once the server would
// draw what is old before it is seen, and a request costs the browser as much as an answer.

const MOST = 2
// In milliseconds: an answer that never comes, as over a lost connection, is not waited for.
const LOST = 3000

let isAnswered = false // by anything at all: where there is no picture there is nothing to wait for
let open = [] // the requests that are not answered yet, and when they were asked
let next = null

let letGo = null // of the dials that are shown
let handOver = null

// What is clicked is about the picture that is seen: the dials say where they are before it is asked for, or the server
// would answer for where they were.
export function sayFirst() {
  letGo?.()
}

// What the dials have not said yet, for who says it in their place.
export function unsaid() {
  return handOver?.() ?? {}
}

export function beforeAllElse(go, give) {
  letGo = go
  handOver = give
}

export function ask(request) {
  open.push({ request, at: performance.now() })
}

// A later answer is one to all requests before it: Streamlit leaves out what is already old.
export function answered(request) {
  isAnswered = true
  open = open.filter((asked) => asked.request > request)
  next?.()
  next = null
}

export function isBusy() {
  open = open.filter(({ at }) => performance.now() - at < LOST)
  return isAnswered && open.length >= MOST
}

export function whenFree(go) {
  next = go
  setTimeout(() => next === go && answered(Infinity), LOST)
}
