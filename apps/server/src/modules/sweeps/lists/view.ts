import { type Catalogue, readCause, withText } from '@kassa/contract/kit/reason.ts'
import { SWEEP_WAITS, type SweepCause } from '@kassa/contract/sweeps/reasons.ts'
import type { Sweep, SweepError, SweepItem, SweepTransaction } from '@kassa/contract/sweeps/schemas.ts'
import { type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd } from '@kassa/primitives/money/usd.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Asset, ExplorerLinks } from '../../blockchains/chains/service.ts'
import type { ErrorRow, ItemRow, SweepMethod, TransactionRow } from '../record/tables.ts'
import type { FoundSweep, ShownAttempt, ShownItem } from './store.ts'

/** What a sweep's view needs beside its row. */
export type Beside = {
  readonly asset: Asset
  /** The native coin, in which fees are paid, with its price where there is one. */
  readonly coin: Asset
  readonly coinPrice: Price | undefined
  readonly links: ExplorerLinks
}

/** A sweep as the contract shows it. */
export function sweepView(found: FoundSweep, { asset, coin, coinPrice, links }: Beside): Sweep {
  const amount = (units: string) => formatUnits(BigInt(units), asset.decimals)
  const fee = found.fee_units === null ? null : BigInt(found.fee_units)
  const isWhole = found.own_units === found.units
  return {
    id: Number(found.id),
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    walletID: found.wallet_id,
    walletName: found.wallet_name,
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    currencyAddress: tokenOf(asset),
    amount: amount(found.own_units),
    amountInUSD: found.amount_usd === null ? null : usd(partOf(found)),
    sweptAmount: amount(found.swept_units),
    addressCount: found.address_count,
    sweptCount: found.swept_count,
    failedCount: found.failed_count,
    fundCollectorAddress: found.collector,
    status: found.status,
    waits: waitsOf(found, asset),
    txHash: found.tx_id,
    explorerTransaction: links.transaction(asset.blockchainId, found.tx_id),
    networkFee: fee === null || !isWhole ? null : formatUnits(fee, coin.decimals),
    networkFeeCurrency: fee === null || !isWhole ? null : coin.currencyCode,
    networkFeeInUSD:
      fee === null || coinPrice === undefined || !isWhole
        ? null
        : usd(usdForUnits({ units: fee, price: coinPrice, decimals: coin.decimals, rounding: 'up' })),
    ...depthOf(found, asset),
    trigger: found.trigger,
    path: pathOf(found.method),
    sentBy: found.sent_by,
    startedBy: found.starter,
    expiresAt: found.expires_at,
    lastSweepError:
      found.last_error && errorView({ ...found.last_error, at: new Date(found.last_error.at) }, found.hot_address),
    externalPlatformIDs: found.project_ids,
  }
}

/** How a sweep moves money, by the name the contract has for it. */
export function pathOf(method: SweepMethod): Sweep['path'] {
  if (method === 'psbt') return 'device'
  return method === 'sweep' ? 'contract' : 'permission'
}

/** The part of its value that the caller may see. */
function partOf({ amount_usd, own_units, units }: FoundSweep): bigint {
  const whole = BigInt(units)
  return whole === 0n ? 0n : (usdOf(amount_usd ?? '0') * BigInt(own_units)) / whole
}

/** The contract of a token; null of the native coin. */
export function tokenOf({ standard, address }: Asset): string | null {
  return standard === 'native' ? null : address
}

/** How deep its block is; the required depth once it is final. */
function depthOf({ status, mined_height: mined, tip }: FoundSweep, { minConfirmations: required }: Asset) {
  if (status === 'completed') return { confirmations: required, confirmationRequired: required }
  const depth = mined === null || tip === null ? 0 : Number(tip - mined) + 1
  return { confirmations: Math.max(0, Math.min(depth, required - 1)), confirmationRequired: required }
}

function waitsOf(found: FoundSweep, asset: Asset): Sweep['waits'] {
  const cause = causeOf(found, asset)
  return cause && withText(SWEEP_WAITS, cause)
}

function causeOf(found: FoundSweep, asset: Asset): SweepCause | null {
  if (found.status === 'planned' && found.sent_by === 'device' && found.expires_at !== null) {
    return { code: 'WAITS_FOR_SIGNATURE', params: { until: found.expires_at.toISOString() } }
  }
  if (found.status === 'planned') return stored(found.wait_code, found.wait_params)
  if (found.status !== 'sweep-initiated' && found.status !== 'broadcast') return null
  if (found.stuck_at !== null) return { code: 'STUCK', params: {} }
  if (found.mined_height !== null) {
    const { confirmations: current, confirmationRequired: required } = depthOf(found, asset)
    return { code: 'CONFIRMATIONS', params: { current, required } }
  }
  if (found.sent_by !== 'own-wallet' || found.tx_id !== null || found.expires_at === null) return null
  return { code: 'WAITS_FOR_TRANSACTION', params: { until: found.expires_at.toISOString() } }
}

function stored(code: string | null, params: unknown): SweepCause | null {
  return code === null ? null : readCause(SWEEP_WAITS, code, params)
}

type Failure = Pick<ErrorRow, 'code' | 'params' | 'address' | 'tx_id' | 'at'>

/** An error as the contract shows it; null where another version wrote it. */
export function errorView({ code, params, address, tx_id, at }: Failure, hotAddress: string | null): SweepError | null {
  const cause = stored(code, params)
  if (!cause) return null
  const reason = withText(SWEEP_WAITS, cause)
  const ends = (SWEEP_WAITS as Catalogue)[cause.code]?.ends
  return {
    statusCode: cause.code,
    category: ends === undefined ? 'infra' : 'recoverable',
    reason: reason.text,
    cause: reason,
    actionHint: ends ?? null,
    retryable: ends !== undefined,
    occurredAt: at,
    address,
    txHash: tx_id,
    hotWalletAddress: hotAddress,
  }
}

/** One address of a sweep, as the contract shows it. */
export function itemView(item: ShownItem, { asset, links }: Beside): SweepItem {
  return {
    addressID: Number(item.address_id),
    address: item.address,
    explorerAddress: links.address(asset.blockchainId, item.address),
    externalPlatformID: item.project_id,
    amount: formatUnits(BigInt(item.units), asset.decimals),
    state: item.state,
    waits: reasonOf(item),
  }
}

function reasonOf({ reason_code, reason_params }: ItemRow): SweepItem['waits'] {
  const cause = stored(reason_code, reason_params)
  return cause && withText(SWEEP_WAITS, cause)
}

/** An attempt of a hot wallet, as the contract shows it. */
export function attemptView(attempt: ShownAttempt, { asset, coin, links }: Beside): SweepTransaction {
  const { tx_id, at, height, is_success, is_newest, max_fee, fee_units } = attempt
  const state = height === null ? (is_newest ? 'sent' : 'replaced') : is_success === false ? 'failed' : 'mined'
  return {
    txHash: tx_id,
    explorerTransaction: links.transaction(asset.blockchainId, tx_id),
    state,
    at,
    blockNumber: height === null ? null : Number(height),
    maxFee: formatUnits(BigInt(max_fee), coin.decimals),
    fee: fee_units === null ? null : formatUnits(BigInt(fee_units), coin.decimals),
  }
}

/** What the wallet of an operator sent, as the contract shows it. */
export function transactionView(row: TransactionRow, { asset, links }: Beside): SweepTransaction {
  return {
    txHash: row.tx_id,
    explorerTransaction: links.transaction(asset.blockchainId, row.tx_id),
    state: row.state,
    at: row.recorded_at,
    blockNumber: row.block_number === null ? null : Number(row.block_number),
    maxFee: null,
    fee: null,
  }
}
