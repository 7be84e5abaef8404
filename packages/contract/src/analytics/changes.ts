import type { EventType } from '../webhooks/events.ts'

/** Every graph that counts final money, and the list of deposits. */
const OF_MONEY = [1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const

/** The balance of deposit addresses: it falls when a sweep begins, and rises when a sweep returns a part. */
const ON_ADDRESSES = [15] as const

const CHANGED_BY: Readonly<Partial<Record<EventType, readonly number[]>>> = {
  'payment.created': [5, 6, 13],
  'payment.detected': [12],
  'payment.partially_filled': OF_MONEY,
  'payment.filled': OF_MONEY,
  'payment.over_filled': OF_MONEY,
  'payment.reopened': OF_MONEY,
  'payment.late_deposit': [12, 15],
  'payment.resolved': [12, 15],
  'payment.cancelled': [13],
  'sweep.initiated': ON_ADDRESSES,
  'sweep.broadcast': ON_ADDRESSES,
  'sweep.cancelled': ON_ADDRESSES,
  'sweep.completed': ON_ADDRESSES,
  'sweep.failed': ON_ADDRESSES,
}

/**
 * The graphs whose figures an event changes, by id: a change of a figure and its event are in one transaction, so no figure
 * needs a message of its own.
 */
export function graphsChangedBy(event: string): readonly number[] {
  return CHANGED_BY[event as EventType] ?? []
}
