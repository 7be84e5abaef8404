/** A shop on servers that may die, with an endpoint that hears everything. */
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'

import type { Api } from '../api.ts'
import { openShop, type Shop } from '../shop.ts'
import { DELIVERABLE } from './audit.ts'
import type { Counter } from './orders.ts'
import { retryingApi } from './retrying-api.ts'
import type { EventReceiver } from './receiver.ts'

export type ChaosShop = {
  readonly project: string
  readonly counter: Counter
  /** Calls as the owner; asks until a server lives. */
  readonly operator: Api
  /** Calls as the shop's program, and repeats them blindly. */
  readonly blindly: Api
  readonly session: string
  readonly apiKey: string
}

/** Sets the shop up while all is calm; from then on its calls find their way to any of the servers. */
export async function openChaosShop(urls: readonly [string, ...string[]], receiver: EventReceiver): Promise<ChaosShop> {
  const shop: Shop = await openShop(urls[0])
  await shop.operator(webhooksRoutes.createWebhook, {
    params: { p: shop.project },
    body: { url: receiver.url, events: DELIVERABLE },
  })
  return {
    project: shop.project,
    session: shop.session,
    apiKey: shop.apiKey,
    operator: retryingApi({ urls, key: shop.session }),
    blindly: retryingApi({ urls, key: shop.apiKey, isBlind: true }),
    counter: { merchant: retryingApi({ urls, key: shop.apiKey }), crowd: retryingApi({ urls, isCrowd: true }) },
  }
}
