/** Every catalogue of reasons, for the generated page and for the check that each code is produced. */
import { ALARMS } from './alarms/catalogue.ts'
import { STEP_UP_LINES } from './auth/step-up-lines.ts'
import { ASSET_OBSTACLES } from './blockchains/asset-obstacles.ts'
import { INACTIVE_REASONS } from './blockchains/inactive-reasons.ts'
import { NODE_REASONS } from './blockchains/node-reasons.ts'
import { NETWORK_NOTICES, STOP_REASONS } from './blockchains/reading-reasons.ts'
import { DEPOSIT_WAITS } from './deposits/waits.ts'
import * as z from 'zod/mini'

import type { Catalogue } from './kit/reason.ts'
import { ACTION_BLOCKS } from './payments/action-blocks.ts'
import { MISSING, NETWORK_OBSTACLES, PAYMENT_WAITS } from './payments/readiness-reasons.ts'
import { EVENT_LOG_FAILURES, REWARD_REFUSALS, REWARD_REVERSALS } from './referral/reasons.ts'
import { SEND_FAILURES } from './sends/reasons.ts'
import { PSBT_REFUSALS, SIGNATURE_REFUSALS, SWEEP_WAITS } from './sweeps/reasons.ts'
import { POLICY_BLOCKS, POLICY_RULES } from './payout-policy/reasons.ts'
import { DELIVERY_WAITS } from './webhooks/delivery-waits.ts'
import { PAYOUT_WAITS } from './withdrawals/waits.ts'

export type ReasonGroup = { readonly title: string; readonly catalogue: Catalogue }

export const REASONS: readonly ReasonGroup[] = [
  { title: 'Alarms (`kind`)', catalogue: ALARMS },
  {
    title: 'Why an operator’s action is blocked (`offers[].blockedBy`, `error.data.blockedBy`)',
    catalogue: ACTION_BLOCKS,
  },
  { title: 'Why a deposit that is deep enough waits (`deposits[].waits`)', catalogue: DEPOSIT_WAITS },
  { title: 'Why a delivery has not been sent yet (`Delivery.waits`)', catalogue: DELIVERY_WAITS },
  { title: 'Why a transaction of a hot wallet failed', catalogue: SEND_FAILURES },
  { title: 'Why a payment waits (`waits`)', catalogue: PAYMENT_WAITS },
  { title: 'Why a payout waits (`waits`, its code `waitReason`)', catalogue: PAYOUT_WAITS },
  {
    title: 'Why deposits stay where they are, or a sweep waits or failed (`waits`, `lastSweepError.cause`)',
    catalogue: SWEEP_WAITS,
  },
  { title: 'Why a signature is not taken (`rejected[].code` of K16)', catalogue: SIGNATURE_REFUSALS },
  { title: 'Why a signed batch is not taken (`error.data.reason` of S11)', catalogue: PSBT_REFUSALS },
  { title: 'Why a payout may not go (policy, `block`)', catalogue: POLICY_BLOCKS },
  { title: 'Which rule decided about a payout (policy, `rule`)', catalogue: POLICY_RULES },
  { title: 'Why a campaign gave nothing for an event log (`uses[].refusal`)', catalogue: REWARD_REFUSALS },
  { title: 'Why an event log failed (`EventLog.failure`)', catalogue: EVENT_LOG_FAILURES },
  { title: 'Why a reward became smaller or was taken back (`Reward.reversal`)', catalogue: REWARD_REVERSALS },
  { title: 'What a project lacks (`missing[].kind`)', catalogue: MISSING },
  { title: 'Why a network does not take payments (`chains[].reasons[].kind`)', catalogue: NETWORK_OBSTACLES },
  { title: 'What a person confirms (`display.lines` of A26)', catalogue: STEP_UP_LINES },
  { title: 'Why customers cannot pay in an asset (`cause` of B15)', catalogue: ASSET_OBSTACLES },
  { title: 'Why a network is inactive (`cause` of B1)', catalogue: INACTIVE_REASONS },
  { title: 'Why a network is not read (`cause` of B1 and of `stopped` and `network_halted`)', catalogue: STOP_REASONS },
  { title: 'What to know about a network that is read (`noticeCause` of B1)', catalogue: NETWORK_NOTICES },
  { title: 'Why a node is not used (`health.cause`)', catalogue: NODE_REASONS },
]

type Described = {
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>
  readonly anyOf?: readonly Described[]
  readonly oneOf?: readonly Described[]
}

/** Returns the names of a reason's parameters; of each case in turn where there are several. */
export function parameterNames({ params }: Catalogue[string]): string[][] {
  const { anyOf, oneOf, ...plain } = z.toJSONSchema(params) as Described
  return (anyOf ?? oneOf ?? [plain]).map(({ properties = {} }) =>
    Object.entries(properties).map(([name, { const: value }]) => (value === undefined ? name : `${name}: ${value}`)),
  )
}
