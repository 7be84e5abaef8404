import * as z from 'zod/mini'

import { AnyReason } from '../kit/reason-shape.ts'
import { reason, sentence } from '../kit/reason.ts'

const text = z.string()

/** Why customers of a project cannot pay in a currency on a network now. */
export const ASSET_OBSTACLES = {
  asset_switched_off: sentence('It is switched off for the whole install.'),
  /** `change` is what was found at the contract, as it is stored with the asset. */
  asset_changed: reason({ params: z.object({ change: text }), text: ({ change }) => change }),
  no_node: sentence('Add a node.'),
  /** `cause` as the network has it; null where none is stored. */
  network_inactive: reason({
    params: z.object({ cause: z.nullable(AnyReason) }),
    text: ({ cause }) => cause?.text ?? 'This network is switched off.',
  }),
  /** `cause` as the network has it; null where none is stored. */
  network_halted: reason({
    params: z.object({ cause: z.nullable(AnyReason) }),
    text: ({ cause }) => cause?.text ?? 'Reading this network is halted.',
  }),
  no_wallet: sentence('No deposit wallet is linked.'),
} as const
