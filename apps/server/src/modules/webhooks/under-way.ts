/** Requests under way in this process, counted per endpoint: a slow receiver fills its own places and nobody else's. */

/** All endpoints together; beyond it the sockets of one process run short. */
const MAX_IN_ALL = 1000

const places = new Map<number, number>()
/** Endpoints at which a delivery found no place: the next free one has to look for it. */
const turnedAway = new Set<number>()
const running = new Set<Promise<void>>()

/** Free places of an endpoint that may have `limit` requests at a time. */
export function freePlaces(webhookId: number, limit: number): number {
  return Math.max(0, Math.min(limit - (places.get(webhookId) ?? 0), MAX_IN_ALL - running.size))
}

/** Takes a place at once, so that two cannot both take the last one; false, and remembered, when there is none. */
export function takePlace(webhookId: number, limit: number): boolean {
  if (freePlaces(webhookId, limit) === 0) {
    turnedAway.add(webhookId)
    return false
  }
  places.set(webhookId, (places.get(webhookId) ?? 0) + 1)
  return true
}

/** Gives a place back; true when a delivery was turned away since somebody last looked. */
export function leavePlace(webhookId: number): boolean {
  const left = (places.get(webhookId) ?? 1) - 1
  if (left > 0) places.set(webhookId, left)
  else places.delete(webhookId)
  return turnedAway.delete(webhookId)
}

/** Remembers that more is due at the endpoint than it has places. */
export function leaveWaiting(webhookId: number): void {
  turnedAway.add(webhookId)
}

/** Keeps the work in sight of `allEnded`; what is given must not reject. */
export function keepTrack(work: Promise<void>): Promise<void> {
  const ended = work.finally(() => running.delete(ended))
  running.add(ended)
  return ended
}

/** Waits for the requests that are under way. */
export async function allEnded(): Promise<void> {
  await Promise.all(running)
}
