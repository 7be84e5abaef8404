/** What is sent of an event: its message, and what every message carries (api.md 6.2). */
export function webhookBody(event: {
  readonly type: string
  readonly eventId: string
  readonly sequence: number | null
  readonly payload: Readonly<Record<string, unknown>>
}): string {
  return JSON.stringify(messageOf(event))
}

/** The message as an object. */
export function messageOf({
  type,
  eventId,
  sequence,
  payload,
}: Parameters<typeof webhookBody>[0]): Record<string, unknown> {
  return { ...payload, event_type: type, event_id: eventId, sequence }
}
