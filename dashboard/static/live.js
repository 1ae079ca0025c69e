// How the picture follows a dial that is dragged. The dials ask for a picture of where they are: of the server itself, at an
// address that the page gave to the picture, or where there is none of the page, which then runs for it. Two requests at a time:
// so the server draws one while the browser still has to do with the one before. Of more at once the server would draw what is
// old before it is seen, and a request costs the browser as much as an answer.

const MOST = 2
// In milliseconds: an answer that takes longer than the first has one request at a time. One of the page that takes longer than
// the second, as over a lost connection, is not waited for; on a line of its own each request has its answer, or the line ends.
const SLOW = 150
const LOST = 3000
// In milliseconds: how long nothing is asked after a line has ended.
const AFTER_END = 300
// In milliseconds: how long an address that did not answer is not asked again.
const DEAF = 10000

let isAnswered = false // by anything at all: where there is no picture there is nothing to wait for
let open = [] // the requests that are not answered yet, and when they were asked
let newest = 0 // of those that were answered
let isSlow = false
let isQuiet = false
let next = null

let dials = null // of the page that is shown: what they can be asked to do
let live = null // where a picture of them is asked for, and who draws it
let line = null // to there
let deafUntil = 0

// What is clicked is about the picture that is seen: the dials say where they are before it is asked for, or the server
// would answer for where they were.
export function sayFirst() {
  dials?.leave()
}

// What the dials have not said yet, for who says it in their place.
export function unsaid() {
  return dials?.takeUnsaid() ?? {}
}

export function listen(to) {
  dials = to
}

// ---- requests ----

export function ask(request, isOnLine = false) {
  open.push({ request, at: performance.now(), isOnLine })
}

// A later answer is one to all requests before it: Streamlit leaves out what is already old.
function answered(request) {
  isAnswered = true
  if (request < Infinity) newest = Math.max(newest, request)
  isSlow = open.some((asked) => asked.request === request && performance.now() - asked.at > SLOW)
  open = open.filter((asked) => asked.request > request)
  const go = next
  next = null
  go?.()
}

export function isBusy() {
  open = open.filter(({ at, isOnLine }) => isOnLine || performance.now() - at < LOST)
  return isQuiet || (isAnswered && open.length >= (isSlow ? 1 : MOST))
}

export function whenFree(go) {
  next = go
  setTimeout(() => next === go && !line && answered(Infinity), LOST)
}

// ---- pictures ----

// The page ran, or for a request of a drag its live part alone, and what it drew is there. It holds against what was asked for
// before; where it is of the whole page, which is for no request, or where a later picture was there before it, a dial may be
// elsewhere by now.
export function ran({ request, live: address }, draw) {
  live = address && performance.now() > deafUntil ? { address, draw } : null
  if (line?.address !== live?.address) hangUp()
  line?.forget(request ?? Infinity)
  const mayBeOld = request === null || request < newest
  answered(request ?? Infinity)
  if (mayBeOld) dials?.again()
}

export function gone(draw) {
  if (live?.draw === draw) live = null
}

// Whether a picture of what the dials say is asked for at an address.
export function askPicture(said, request) {
  if (!live) return false
  line ??= call(live.address)
  ask(request, true)
  line.asked.push(request)
  line.say(JSON.stringify(said))
  return true
}

function call(address) {
  const socket = new WebSocket(new URL(address, location.href).href.replace("http", "ws"))
  const asked = [] // the requests in the order of their answers; those that are not for the picture any more are null
  let unsaid = []
  socket.onopen = () => {
    unsaid.forEach((text) => socket.send(text))
    unsaid = null
  }
  socket.onmessage = ({ data }) => {
    const request = asked.shift()
    if (!request) return
    live?.draw(JSON.parse(data))
    answered(request)
  }
  socket.onclose = () => {
    live = line = next = null
    open = []
    // It was never open: something on the way lets no such line through, or the server has been started anew. The page is asked.
    if (unsaid) {
      deafUntil = performance.now() + DEAF
      dials?.again()
      return
    }
    // The page's connection may be lost with it, which is seen a moment later. A run that is cut short by that can leave the page
    // empty; what is asked without a connection does no harm, and all of it runs once that is there again.
    isQuiet = true
    setTimeout(() => {
      isQuiet = false
      next = null
      dials?.again()
    }, AFTER_END)
  }
  return {
    address,
    socket,
    asked,
    say: (text) => (unsaid ? unsaid.push(text) : socket.send(text)),
    forget: (last) => asked.forEach((request, index) => { if (request <= last) asked[index] = null }),
  }
}

function hangUp() {
  if (!line) return
  line.socket.onclose = null
  line.socket.close()
  line = null
}
