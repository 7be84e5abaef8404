/**
 * For connections that may wait long without a word: the first probe goes out after ten seconds, so that an end that vanished
 * without closing, as a machine without power does, is noticed within seconds. The usual delay is two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
