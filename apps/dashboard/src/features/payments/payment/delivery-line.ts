/** The line of a payment's history about one event's webhooks. */
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { deliveryWaitText } from '../../../labels/delivery-waits.ts'
import type { TimelineEvent } from '../../../ui/facts/Timeline.tsx'
import type { Tone } from '../../../ui/feedback/tones.ts'

/** The address of a webhook endpoint, by its id; not every operator may read it. */
export type EndpointHosts = ReadonlyMap<number, string>

type DeliveryLine = Omit<TimelineEvent, 'text'> & { readonly text?: string }

type Telling = { readonly title: (event: string) => string; readonly tone: Tone }

const DELIVERED: Readonly<Record<Delivery['status'], Telling>> = {
  pending: { title: (event) => t`Webhook ${event} waits to be delivered`, tone: 'progress' },
  received: { title: (event) => t`Webhook ${event} delivered`, tone: 'success' },
  failed: { title: (event) => t`Webhook ${event} not delivered`, tone: 'danger' },
  discarded: { title: (event) => t`Webhook ${event} discarded`, tone: 'neutral' },
  waiting_for_approval: { title: (event) => t`Webhook ${event} on hold`, tone: 'info' },
}

/** Entries that need an operator come first. */
const WORST: readonly Delivery['status'][] = ['failed', 'waiting_for_approval', 'pending', 'discarded', 'received']

/** One line for an event, for any number of endpoints and attempts: the worst state among them. */
export function deliveryLine(id: string, deliveries: readonly Delivery[], hosts: EndpointHosts): DeliveryLine {
  const [worst] = deliveries.toSorted((a, b) => WORST.indexOf(a.status) - WORST.indexOf(b.status))
  const { event = '', status = 'pending' } = worst ?? {}
  const { title, tone } = DELIVERED[status]
  const text = deliveries.map((delivery) => endpointText(delivery, hosts)).filter((part) => part !== '')
  const moments = deliveries.map(({ attempts, createdAt }) => (attempts.at(-1)?.at ?? createdAt).getTime())
  return {
    id: `deliveries-${id}`,
    at: new Date(Math.max(...moments)),
    title: title(event),
    tone,
    ...(text.length > 0 && { text: text.join('; ') }),
  }
}

/** What became of an event at one endpoint: its last answer, how often it was tried, and what it waits for. */
function endpointText(delivery: Delivery, hosts: EndpointHosts): string {
  const { attempts, webhookID } = delivery
  const [last, tries] = [attempts.at(-1), attempts.length]
  const parts = [
    hosts.get(webhookID),
    last && attemptText(last),
    tries > 1 ? t`${plural(tries, { one: '# try', other: '# tries' })}` : undefined,
    deliveryWaitText(delivery, new Date()),
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

function attemptText({ code, error, ms }: Delivery['attempts'][number]): string {
  if (code !== null) return t`answered ${code} in ${ms} ms`
  return error === null ? t`no answer in ${ms} ms` : t`${error} in ${ms} ms`
}
