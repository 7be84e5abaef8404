/** What a project or its networks lack before they take payments: every kind with its English sentence. */
import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { AnyReason } from '../kit/reason-shape.ts'
import { type Catalogue, reason, sentence } from '../kit/reason.ts'
import { type MISSING_KINDS, NetworkWait, type OBSTACLE_KINDS } from './readiness.ts'

const text = z.string()

/** What a project needs before it can take payments. */
export const MISSING = {
  site_url: sentence('Set the address under which people reach this server.'),
  node: sentence('Add a node for at least one network.'),
  asset: sentence('Accept a currency on a network that has a node.'),
  wallet: reason({
    /** The names of the networks that the wallet would serve. */
    params: z.object({ networks: z.array(text) }),
    text: ({ networks }) => `Add a deposit wallet for ${networks.join(', ')}.`,
  }),
} as const satisfies Record<(typeof MISSING_KINDS)[number], Catalogue[string]>

/** Why payments on a network are not noticed, or not in time. */
export const NETWORK_OBSTACLES = {
  switched_off: sentence('It is switched off.'),
  no_node: sentence('It has no node.'),
  /** `cause` as the network has it; `reason` is its sentence. */
  stopped: reason({ params: z.object({ reason: text, cause: AnyReason }), text: (params) => params.reason }),
  not_read: reason({ params: z.object({ network: text }), text: ({ network }) => `${network} is not read yet.` }),
  behind: reason({
    params: z.object({ network: text, lagBlocks: int }),
    text: ({ network, lagBlocks }) => `${network} answers slowly: ${lagBlocks} blocks behind.`,
  }),
  no_wallet: sentence('No deposit wallet is linked.'),
  /** The wallet has a list of addresses, and customers have all of them. */
  no_addresses: sentence('Every address of the list is in use. Add addresses to the wallet.'),
} as const satisfies Record<(typeof OBSTACLE_KINDS)[number], Catalogue[string]>

/** Why nothing happens to a payment although it waits for its network. */
export const PAYMENT_WAITS = {
  network_not_followed: reason({
    params: NetworkWait.shape.params,
    text: ({ network, obstacle }) => {
      const safe = `${network} is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.`
      return obstacle === null ? safe : `${safe} Why: ${obstacle.text}`
    },
  }),
} as const
