/** A list of payouts (D21): all of them are requested, or none, with one decision about their sum. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { BatchRow, PayoutQuestion } from '@kassa/contract/withdrawals/batch.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { getProject } from '../../projects/service.ts'
import { totalLines } from '../approving/describe-list.ts'
import { lockForRequests, lockRefunded, requireNewReference, unitsOf } from '../payouts/create-payout.ts'
import { requestDescription } from '../payouts/describe.ts'
import { namingInRefusal } from '../payouts/naming.ts'
import { requestOfRecipient } from '../payouts/service.ts'
import { storeRequest } from '../payouts/store-request.ts'
import { lockPolicy } from '../policy/service.ts'
import type { WithdrawalRow } from '../record/service.ts'
import { nextWithdrawalId } from '../record/store.ts'
import { judgeBatch, type RowRequest } from './judge-batch.ts'

type Row = PayoutQuestion['rows'][number] & Partial<Pick<BatchRow, 'clientReference' | 'note'>>

/**
 * Reads the rows of a list. A refusal names the row, from 0 as `fields` do, and its reference.
 * @throws RECIPIENT_NOT_FOUND, RECIPIENT_NOT_ACTIVE, ASSET_NOT_PAYABLE
 */
export async function requestsOfRows(ctx: Context, projectId: number, rows: readonly Row[]): Promise<RowRequest[]> {
  const requests: RowRequest[] = []
  for (const [row, input] of rows.entries()) {
    const { clientReference } = input
    const subject = {
      name: clientReference ?? `Row ${row + 1}`,
      data: { row, ...(clientReference !== undefined && { clientReference }) },
      path: `rows.${row}`,
    }
    const request = await namingInRefusal(subject, () => requestOfRecipient(ctx, projectId, input))
    requests.push({ request, subject })
  }
  return requests
}

/**
 * Requests every payout of a list in one transaction, under the lock of the project's policy: a row that is refused leaves none.
 * @throws CLIENT_REFERENCE_EXISTS, INSUFFICIENT_FUNDS, and as `judgeBatch`; each names the row
 */
export async function createBatch(
  ctx: Context,
  projectId: number,
  rows: readonly BatchRow[],
): Promise<WithdrawalRow[]> {
  return inTransaction(ctx, async (tx) => {
    const policy = await lockForRequests(tx, projectId)
    const requests = await requestsOfRows(tx, projectId, rows)
    await lockRefunded(
      tx,
      projectId,
      requests.map(({ request }) => request),
    )
    // Drawn in the order of the rows, so that lists of payouts show them in the order of the file.
    const ids = new Map<RowRequest['request'], bigint>()
    for (const { request, subject } of requests) {
      await namingInRefusal(subject, () => requireNewReference(tx, request))
      ids.set(request, await nextWithdrawalId(tx))
    }
    const [first = 0n] = ids.values()
    const stored = new Map<RowRequest['request'], WithdrawalRow>()
    for (const { request, subject, listTotals, ...decided } of await judgeBatch(tx, policy, requests)) {
      const id = ids.get(request) ?? fail('WITHDRAWAL_NOT_FOUND')
      const store = () => storeRequest(tx, request, { ...decided, listTotals: { ...listTotals, first }, policy, id })
      stored.set(request, await namingInRefusal(subject, store))
    }
    return requests.flatMap(({ request }) => stored.get(request) ?? [])
  })
}

/** Says what a list will do: the sums per asset, and each payout with its reference. */
export async function describeBatch(ctx: Context, projectId: number, rows: readonly BatchRow[]): Promise<Description> {
  await lockPolicy(ctx, projectId)
  const { name: project } = await getProject(ctx, projectId)
  const requests = await requestsOfRows(ctx, projectId, rows)
  const each: { readonly reference: string | null; readonly description: Description }[] = []
  const taken: { readonly asset_id: number; readonly units: string }[] = []
  for (const { request, subject } of requests) {
    const describe = async () => requestDescription(request, project)
    each.push({ reference: request.clientReference, description: await namingInRefusal(subject, describe) })
    taken.push({ asset_id: request.asset.id, units: String(unitsOf(request.asset, request.amount)) })
  }
  return {
    lines: [
      { code: 'payout_batch', params: { count: each.length } },
      ...(await totalLines(ctx, taken)),
      ...each.flatMap(({ description }) => description.lines),
    ],
    happens: { payouts: each.map(({ reference, description: { happens } }) => ({ reference, payout: happens })) },
  }
}
