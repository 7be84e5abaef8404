import { createHash } from 'node:crypto'

import type { ChainSession } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { PermissionTx, Validity } from '@kassa/chains/permissions.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'
import type { SignatureResult } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { Signature, SignaturePosting } from '@kassa/contract/sweeps/inputs.ts'
import { SIGNATURE_REFUSALS, type SignatureRefusal } from '@kassa/contract/sweeps/reasons.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import {
  findByDigest,
  insertPermission,
  listApprovals,
  listOfBatch,
  lockApproval,
  moveApproval,
  movePermission,
  type NewPermission,
  renewPermission,
} from '../record/store.ts'
import { isInUse } from '../record/rules.ts'
import type { PermissionRow } from '../record/tables.ts'
import { listAddressFacts } from './candidates-store.ts'
import { chainOf, findPlace, type Place, tokenOf } from './place.ts'
import { refusalOf } from './rules.ts'
import { aheadWallet, composeAhead, requireBatch } from './signing-job.ts'
import { progressOf } from './view.ts'

type Names = { readonly b: string; readonly c: string }

/** Which address was asked to sign what, for which collector. */
type Question = {
  readonly addressId: bigint
  /** Null for a delegation that is signed ahead. */
  readonly approvalId: bigint | null
  readonly permission: PermissionJson
  readonly isLapsed: boolean
}

type Questions = {
  readonly place: Place
  readonly batchId: bigint | null
  readonly end: { readonly token: string | null; readonly vault: string; readonly collector: string }
  /** Whether sweep contract and cold wallet are still those that addresses were asked for. */
  readonly isInUse: boolean
  readonly byAddress: ReadonlyMap<bigint, Question>
}

/** A signature that matches its question, with the node's answer whether it is valid; null while no node answers. */
type Taken = {
  readonly question: Question
  readonly signature: object
  readonly tx: PermissionTx | null
  readonly validity: Validity | null
}

type Refused = { readonly addressId: bigint; readonly refusal: SignatureRefusal }

export type CheckedPosting = {
  readonly questions: Questions
  readonly taken: readonly Taken[]
  readonly refused: readonly Refused[]
}

/**
 * Reads each signature again and compares it with the question, then asks a node whether it is valid. Stores nothing; call it
 * outside of transactions.
 * @throws SWEEP_BATCH_NOT_FOUND, SIGNATURE_INVALID when none of them is a signature
 */
export async function checkPosting(ctx: Context, names: Names, input: SignaturePosting): Promise<CheckedPosting> {
  const questions = await questionsOf(ctx, await findPlace(ctx, names), input.batchID)
  const checked = input.signatures.map((signature) => checkOne(ctx, questions, signature))
  const refused = checked.filter((one): one is Refused => 'refusal' in one)
  if (refused.length === checked.length && refused.every(({ refusal }) => refusal.code === 'UNREADABLE')) {
    return fail('SIGNATURE_INVALID')
  }
  const taken: Taken[] = []
  const session = await sessionOf(ctx, questions.place)
  for (const one of checked) {
    if ('refusal' in one) continue
    const validity = one.tx === null && session ? await validityOf(ctx, session, questions, one) : null
    if (validity === 'absent') refused.push({ addressId: one.question.addressId, refusal: LAPSED })
    else taken.push({ ...one, validity })
  }
  return { questions, taken, refused }
}

const LAPSED: SignatureRefusal = { code: 'LAPSED', params: {} }

async function questionsOf(ctx: Context, place: Place, batchId: string): Promise<Questions> {
  const walletId = aheadWallet(batchId)
  if (walletId !== null) return questionsAhead(ctx, place, walletId)
  const batch = await requireBatch(ctx, place, batchId)
  const rows = await listApprovals(ctx, batch.id)
  const questions = rows.map((row) => ({
    ...{ addressId: row.address_id, approvalId: row.id, permission: row.permission },
    isLapsed: row.state === 'lapsed' || (row.state === 'open' && row.locked_until <= ctx.now()),
  }))
  return {
    ...{
      place,
      batchId: batch.id,
      end: { token: tokenOf(place.asset), vault: batch.vault, collector: batch.collector },
      isInUse: isInUse(batch, place.vault),
    },
    byAddress: new Map(questions.map((question) => [question.addressId, question])),
  }
}

async function questionsAhead(ctx: Context, place: Place, walletId: number): Promise<Questions> {
  const { target, questions } = await composeAhead(ctx, place, walletId).catch(() => fail('SWEEP_BATCH_NOT_FOUND'))
  const asked = questions.map(({ id, permission }) => ({
    addressId: id,
    approvalId: null,
    permission,
    isLapsed: false,
  }))
  return {
    ...{ place, batchId: null, end: target.place, isInUse: true },
    byAddress: new Map(asked.map((question) => [question.addressId, question])),
  }
}

function checkOne(
  ctx: Context,
  { place, end, byAddress, ...questions }: Questions,
  { addressID, ...signature }: Signature,
): Omit<Taken, 'validity'> | Refused {
  const addressId = BigInt(addressID)
  const question = byAddress.get(addressId)
  const refuse = (refusal: SignatureRefusal) => ({ addressId, refusal })
  if (!question || !place.adapter.permissions) return refuse({ code: 'NOT_IN_BATCH', params: {} })
  if (question.isLapsed) return refuse({ code: 'BATCH_EXPIRED', params: {} })
  if (!questions.isInUse) return refuse(LAPSED)
  const checked = place.adapter.permissions.check(chainOf(ctx, place), end, question.permission, signature)
  if (checked.kind === 'signed') return { question, signature: checked.signature, tx: checked.tx }
  const { from, nonce } = question.permission
  return refuse(refusalOf({ ...checked, expected: { from, nonce: nonce ?? 0 } }))
}

/** Without a node, signatures are stored and checked once a node answers. */
async function sessionOf(ctx: Context, { row }: Place): Promise<ChainSession | null> {
  return openSession(ctx, row.id).catch((error: unknown) => {
    if (error instanceof RetryableRpcError || error instanceof NodeRejected) return null
    throw error
  })
}

async function validityOf(
  ctx: Context,
  session: ChainSession,
  { place, end }: Questions,
  { question, signature }: Omit<Taken, 'validity'>,
): Promise<Validity | null> {
  const { permissions } = place.adapter
  if (!permissions) return null
  try {
    return await permissions.validity(session, end, { permission: question.permission, signature })
  } catch (error) {
    if (!(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
    ctx.log.warn({ err: error }, 'a node does not say what a permission is worth')
    return null
  }
}

/** Stores what was signed. Storing the same signatures again changes nothing. */
export async function storePosting(
  tx: Context,
  { questions, taken, refused }: CheckedPosting,
): Promise<SignatureResult> {
  const late: Refused[] = []
  let accepted = 0
  for (const one of taken) {
    if (await storeOne(tx, questions, one)) accepted += 1
    else late.push({ addressId: one.question.addressId, refusal: LAPSED })
  }
  const { row, asset } = questions.place
  const named = { blockchainCode: row.code, currencyCode: asset.currencyCode, accepted }
  if (accepted > 0)
    tx.change(null, { ...named, batchID: questions.batchId === null ? 'ahead' : String(questions.batchId) })
  tx.events.announce(tx, { name: 'permission.due', projectId: null, data: { blockchainId: row.id } })
  const rejected = [...refused, ...late].map(({ addressId, refusal }) => ({
    ...{ addressID: Number(addressId), code: refusal.code },
    text: textOf(SIGNATURE_REFUSALS, refusal),
  }))
  const data = questions.batchId === null ? [] : (await progressOfBatch(tx, questions.batchId)).data
  return { accepted, rejected, data }
}

async function storeOne(tx: Context, { place, end }: Questions, one: Taken): Promise<boolean> {
  const { question, signature, tx: signed, validity } = one
  const { permission, approvalId } = question
  const digest = createHash('sha256')
    .update(JSON.stringify([permission, signature]))
    .digest()
  const known = await findByDigest(tx, digest)
  if (known && known.state !== 'stale') return true
  if (approvalId !== null) {
    const approval = await lockApproval(tx, approvalId)
    if (approval?.state !== 'open' || !(await moveApproval(tx, approvalId, 'signed'))) return false
  }
  const isReady = validity === 'offered' || validity === 'given'
  const judged = { approved_at: isReady ? tx.now() : null, checked_at: isReady ? tx.now() : null }
  if (known) {
    // The same question has the same signature, so one that was invalid for a while may be valid again.
    const isRenewed = await renewPermission(tx, known.id, { approval_id: approvalId, created_at: tx.now() })
    if (isRenewed && isReady) await movePermission(tx, known.id, 'approve', judged)
    return isRenewed
  }
  const row: NewPermission = {
    ...{ address_id: question.addressId, blockchain_id: place.row.id, approval_id: approvalId, kind: permission.kind },
    asset_id: permission.kind === 'authorization' ? null : place.asset.id,
    state: isReady ? 'approved' : 'signed',
    ...{ vault: end.vault, collector: end.collector, permission: JSON.stringify(permission) },
    ...{ signature: JSON.stringify(signature), digest, ...transactionOf(place, signed) },
    ...{ created_at: tx.now(), ...judged },
  }
  return (await insertPermission(tx, row)) !== undefined
}

const NO_TRANSACTION = {
  ...{ tx_id: null, raw: null, body: null, sequence: null, valid_until: null, max_fee: null, planned_height: null },
} as const

function transactionOf({ row }: Place, signed: PermissionTx | null) {
  if (!signed) return NO_TRANSACTION
  const { txId, raw, body, sequence, validUntil, maxFee } = signed
  return {
    ...{ tx_id: txId, raw: Buffer.from(raw), body: JSON.stringify(body), sequence, valid_until: validUntil },
    max_fee: maxFee,
    planned_height: row.cursor?.height ?? 0,
  }
}

/** The state of the approvals of a batch (K16, read). @throws SWEEP_BATCH_NOT_FOUND */
export async function signaturesOf(
  ctx: Context,
  names: Names,
  projectIds: ProjectScope['projectIds'],
  batchId: string,
): Promise<SignatureResult> {
  const batch = await requireBatch(ctx, await findPlace(ctx, names), batchId)
  const progress = await progressOfBatch(ctx, batch.id)
  const ids = progress.data.map(({ addressID }) => BigInt(addressID))
  const known = await listAddressFacts(ctx, ids, projectIds)
  return { ...progress, data: progress.data.filter(({ addressID }) => known.has(BigInt(addressID))) }
}

async function progressOfBatch(ctx: Context, batchId: bigint): Promise<SignatureResult> {
  const permissions = new Map((await listOfBatch(ctx, batchId)).map((one) => [one.approval_id, one]))
  const data = (await listApprovals(ctx, batchId)).map((approval) => {
    const permission: PermissionRow | undefined = permissions.get(approval.id)
    const progress = progressOf(approval, permission, ctx.now())
    return { addressID: Number(approval.address_id), ...progress, txHash: permission?.tx_id ?? null }
  })
  return { accepted: permissions.size, rejected: [], data }
}
