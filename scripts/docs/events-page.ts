import { EVENTS } from '@kassa/contract/webhooks/events.ts'
import { page, printedFrom, table } from './markdown.ts'

/** How an endpoint comes to hear of an event, in words. */
const delivery = {
  default: 'every endpoint that names no events',
  request: 'endpoints that name it',
  never: 'not delivered; live screens and the activity log only',
}

/** Prints every event of the outbox and who hears of it. */
export function eventsPage(): string {
  const rows = Object.entries(EVENTS).map(([type, { when, delivered }]) => [`\`${type}\``, when, delivery[delivered]])
  return page(
    '# Events',
    printedFrom('packages/contract/src/webhooks/events.ts'),
    table(['Event', 'When', 'Delivered to'], rows),
  )
}
