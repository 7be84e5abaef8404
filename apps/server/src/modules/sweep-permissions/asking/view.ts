import type { ApprovalAddress, ApprovalItem } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { AddressSweepState, SweepPermissionState } from '@kassa/contract/sweeps/machine.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'
import { type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import type { Vault } from '../../sweep-contracts/service.ts'
import type { ApprovalRow, PermissionRow } from '../record/tables.ts'
import type { Candidate } from './candidates-store.ts'
import type { Place } from './place.ts'
import { gasStateOf, likelyKind } from './rules.ts'

/** An address that is asked, or could be, as the contract shows it. */
export function candidateView(
  candidate: Candidate,
  { asset, coin, row }: Place,
  price: Price | undefined,
): ApprovalAddress {
  const { units, coinUnits, topUp } = candidate
  const isAsked = candidate.batchId !== null
  const usual = asset.standard === 'native' ? 0n : (asset.limits.approvalFeeAmount ?? 0n)
  const value = price && usdForUnits({ units, price, decimals: asset.decimals, rounding: 'down' })
  return {
    addressID: Number(candidate.id),
    address: candidate.address,
    path: candidate.path,
    walletID: candidate.walletId,
    walletName: candidate.walletName,
    kind: candidate.kind ?? likelyKind(asset.standard === 'native', row.definition.family === 'TRX_Family'),
    balance: formatUnits(units, asset.decimals),
    balanceInUSD: value === undefined ? null : usd(value),
    nativeBalance: formatUnits(coinUnits, coin.decimals),
    needsGas: formatUnits(isAsked ? topUp.units : usual, coin.decimals),
    gasState: isAsked ? gasStateOf(topUp) : usual > 0n ? 'needed' : 'none',
    approvalState: candidate.permissionState ?? 'none',
    lockedUntil: candidate.lockedUntil,
    batchID: candidate.batchId === null ? null : String(candidate.batchId),
    state: candidate.state,
  }
}

/** What a key is to sign, word for word as it was stored. */
export function itemView(addressId: bigint, path: string, permission: PermissionJson): ApprovalItem {
  return {
    addressID: Number(addressId),
    path,
    ...permission,
    permit: permission.permit && { ...permission.permit },
    rawData: permission.rawData ?? null,
  }
}

/** The sweep contract that permissions are for. */
export function contractView({ id, address, collector }: Vault) {
  return { id, address, fundCollectorAddress: collector }
}

/** The state of one address of a batch. */
export function progressOf(
  approval: Pick<ApprovalRow, 'state' | 'locked_until'>,
  permission: Pick<PermissionRow, 'state' | 'kind'> | undefined,
  now: Date,
): { readonly state: AddressSweepState; readonly approvalState: 'none' | SweepPermissionState } {
  const approvalState = permission?.state ?? 'none'
  if (approvalState === 'approved' || approvalState === 'used') {
    return { state: permission?.kind === 'transfer_tx' ? 'swept' : 'approved', approvalState }
  }
  const isOpen = approval.state === 'open' && approval.locked_until > now
  const isUnderWay = approvalState === 'signed' || approvalState === 'broadcast'
  return { state: isOpen || isUnderWay ? 'pending-approval' : 'idle', approvalState }
}
