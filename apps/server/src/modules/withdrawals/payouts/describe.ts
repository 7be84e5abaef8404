/** What a person confirms about a payout (api.md 2.7): the decoded bytes, from the database. */
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { getProject } from '../../projects/service.ts'
import { lockPolicy } from '../policy/service.ts'
import { payloadOf, type WithdrawalRow, wordsOf } from '../record/service.ts'
import { findReference, findUnit, listPayerWallets } from '../record/store.ts'
import { unitsOf } from './create-payout.ts'
import { underCurrentPolicy, lockForDecision, requireDecider } from './decide-payout.ts'
import type { PayoutRequest } from './payout-request.ts'

/** Says what approving a payout will do: its bytes, as the sender signs them. */
export async function describeApproval(
  ctx: Context,
  scope: Pick<ProjectScope, 'projectIds'>,
  id: string,
): Promise<Description> {
  // In a transaction of its own outside of a call: rewards that are converted anew stay as they were shown.
  return inTransaction(ctx, async (tx) => {
    const found = await lockForDecision(tx, scope, id)
    requireDecider(tx, found.row)
    const asked = found.row.status === 'pending-approval' ? await underCurrentPolicy(tx, found) : found
    return descriptionOf(tx, asked.row)
  })
}

/** Says what creating a payout will do. */
export async function describeRequest(ctx: Context, request: PayoutRequest): Promise<Description> {
  await lockPolicy(ctx, request.projectId)
  const { name: project } = await getProject(ctx, request.projectId)
  return requestDescription(request, project)
}

/** The lines and bytes of a payout to come. @throws VALIDATION_FAILED for more decimals than the asset has */
export function requestDescription(request: PayoutRequest, project: string): Description {
  const { asset, payee, projectId, beneficiary, refund } = request
  const units = unitsOf(asset, request.amount)
  const amount = formatUnits(units, asset.decimals)
  const { currencyCode: currency, blockchainCode: chain } = asset
  const name = beneficiary.name ?? ''
  return {
    lines: [
      { code: 'payout_to', params: { project, amount, currency, chain, address: payee.address, name } },
      ...refundLine(refund && refund.reference),
    ],
    happens: {
      project: projectId,
      recipient: beneficiary.recipientId,
      chain: asset.blockchainId,
      asset: asset.id,
      contract: asset.standard === 'native' ? '' : asset.address,
      units: String(units),
      address: payee.address,
      refund: refund && {
        reference: refund.reference,
        kind: refund.kind,
        deposit: String(refund.depositId),
        claim: String(refund.claimId),
      },
    },
  }
}

/** The lines and bytes of a payout that exists. */
export async function descriptionOf(ctx: Context, row: WithdrawalRow): Promise<Description> {
  const asset = await getAsset(ctx, row.asset_id)
  const { name: project } = await getProject(ctx, row.project_id)
  const amount = formatUnits(BigInt(row.units), asset.decimals)
  const { currencyCode: currency, blockchainCode: chain } = asset
  const reference = row.refund_payment_id === null ? null : await findReference(ctx, row.refund_payment_id)
  const params = { project, amount, currency, chain, address: row.to_address, name: row.recipient_name ?? '' }
  return {
    lines: [
      { code: 'payout_to', params },
      ...refundLine(reference),
      ...(await rewardLine(ctx, row)),
      { code: 'payout_words', params: { words: wordsOf(row.digest) } },
    ],
    happens: payloadOf(row),
  }
}

/** Of a withdrawal of rewards: what it takes, and from whom. */
async function rewardLine(ctx: Context, row: WithdrawalRow): Promise<Description['lines']> {
  if (row.reward_unit_id === null || row.reward_units === null) return []
  const { currency_code: currency, decimals } = await findUnit(ctx, row.reward_unit_id)
  const amount = formatUnits(BigInt(row.reward_units), decimals)
  const isPayer = (await listPayerWallets(ctx, [row.id])).has(row.id)
  return [
    { code: 'payout_reward', params: { amount, currency, email: row.recipient_email ?? '' } },
    ...(isPayer ? [{ code: 'payout_payer_wallet' as const, params: {} }] : []),
  ]
}

function refundLine(reference: string | null): Description['lines'] {
  return reference === null ? [] : [{ code: 'payout_refund', params: { reference } }]
}
