/** What a person confirms before money, or where money goes, is changed (api.md 2.7): every line with its English sentence. */
import * as z from 'zod/mini'

import { reason, sentence } from '../kit/reason.ts'

const text = z.string()
/** What a hot wallet is for. */
const purposes = z.enum(['gas', 'payout', 'both'])

const PURPOSES = { gas: 'network fees', payout: 'payouts', both: 'network fees and payouts' } as const

export const STEP_UP_LINES = {
  wallet_linked: reason({
    /** `family` is the code of a chain family, `wallet` the name of the wallet, `fingerprint` that of its key. */
    params: z.object({ project: text, family: text, wallet: text, fingerprint: text }),
    text: ({ project, family, wallet, fingerprint }) =>
      `Customers of ${project} get their addresses of ${family} from the wallet ${wallet} (key ${fingerprint}).`,
  }),
  wallet_replaced: reason({
    params: z.object({ project: text, family: text, former: text, wallet: text, fingerprint: text }),
    text: ({ project, family, former, wallet, fingerprint }) =>
      `New customers of ${project} get their addresses of ${family} from the wallet ${wallet} (key ${fingerprint}), no longer from ${former}.`,
  }),
  customers_keep_addresses: sentence('Customers who have an address keep it.'),
  hot_wallet_created: reason({
    /** `limit` is US dollars. */
    params: z.object({ family: text, wallet: text, purposes, limit: text }),
    text: ({ family, wallet, purposes: purpose, limit }) =>
      `The server makes a key of ${family} for ${PURPOSES[purpose]}, the hot wallet ${wallet}, and can spend what lies there (limit $${limit}).`,
  }),
  hot_wallet_imported: reason({
    params: z.object({ family: text, wallet: text, purposes, limit: text, address: text }),
    text: ({ family, wallet, purposes: purpose, limit, address }) =>
      `The server keeps the key of ${address} (${family}) for ${PURPOSES[purpose]}, as the hot wallet ${wallet}, and can spend what lies there (limit $${limit}).`,
  }),
} as const

export type StepUpLines = typeof STEP_UP_LINES
