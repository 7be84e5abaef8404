/** The body of a delivery: the event's payload and the keys that every payload has (api.md 6.2). */
export function webhookBody(event: {
  readonly type: string
  readonly eventId: string
  readonly sequence: number | null
  readonly payload: Readonly<Record<string, unknown>>
}): string {
  return JSON.stringify(payloadOf(event))
}

/** The same as an object. */
export function payloadOf({
  type,
  eventId,
  sequence,
  payload,
}: Parameters<typeof webhookBody>[0]): Record<string, unknown> {
  return { ...payload, event_type: type, event_id: eventId, sequence }
}
