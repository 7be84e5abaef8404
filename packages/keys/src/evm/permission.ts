/**
 * What the key of a deposit address may sign: that its vault may take a token (approve, permit), that its code delegates to the
 * vault's contract (authorization), or that its coins go to the collector (transfer). Everything else is refused.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { checksumAddress } from '../address-text.ts'
import { type Authorization, authorityOf, type SignedAuthorization } from './authorization.ts'
import { delegateKey } from './deposit-contracts.ts'
import { type FeeTransaction, readFeeTransaction } from './fee-transaction.ts'
import { type PermitMessage, permitSigner, type TokenDomain } from './permit.ts'
import type { Signature } from './signature.ts'

/** One thing to sign. `from` is the deposit address. */
export type Permission = { readonly from: string } & (
  | { readonly kind: 'approve_tx' | 'transfer_tx'; readonly tx: FeeTransaction }
  | { readonly kind: 'permit'; readonly domain: TokenDomain; readonly message: PermitMessage }
  | { readonly kind: 'authorization'; readonly authorization: Authorization }
)

/** The signature of a permission. */
export type PermissionSignature =
  | { readonly kind: 'approve_tx' | 'transfer_tx'; readonly raw: Uint8Array }
  | { readonly kind: 'permit'; readonly signature: Signature }
  | { readonly kind: 'authorization'; readonly authorization: SignedAuthorization }

/**
 * Where money of a deposit address may go on a chain. `token` is null for the native coin. Addresses are spelled as in EIP-55.
 */
export type Destination = {
  readonly chainId: bigint
  readonly token: string | null
  readonly vault: string
  readonly collector: string
  /** The most that the fee of one transaction may be, in wei; limited because a fee can enrich the block producer. */
  readonly mostFee: bigint
}

/** Which part of a permission is wrong. */
export type PermissionFault =
  | 'chain'
  | 'token'
  | 'call'
  | 'spender'
  | 'delegate'
  | 'receiver'
  | 'amount'
  | 'value'
  | 'nonce'
  | 'fee'
  | 'signer'
  | 'signature'

/** First four bytes of keccak256("approve(address,uint256)") (ERC-20). */
const APPROVE = '0x095ea7b3'

/** The largest amount: whatever arrives later is covered, and the vault can pass it to the collector only. */
export const EVERYTHING = 2n ** 256n - 1n

/** A plain transfer of the coin costs this much gas on every EVM chain (Yellow Paper, appendix G). */
const TRANSFER_GAS = 21_000n

/** Encodes the call by which a deposit address lets a vault take a token. */
export function approveCall(vault: string): string {
  return `${APPROVE}${vault.slice(2).toLowerCase().padStart(64, '0')}${EVERYTHING.toString(16)}`
}

/** Computes the contract to which accounts of a vault's owner delegate. */
export function delegateOf(vault: string): string {
  return checksumAddress(delegateKey(hexToBytes(vault.slice(2))))
}

/** Returns what would make a permission do anything but bring money to its destination; null when nothing would. */
export function faultOf(permission: Permission, destination: Destination): PermissionFault | null {
  switch (permission.kind) {
    case 'approve_tx':
      return faultOfApproval(permission.tx, destination)
    case 'transfer_tx':
      return faultOfTransfer(permission.tx, destination)
    case 'permit':
      return faultOfPermit(permission, destination)
    case 'authorization':
      return faultOfAuthorization(permission.authorization, destination)
  }
}

/** Returns what is wrong with a signature for a permission that has no fault itself; null when nothing is. */
export function faultOfSignature(permission: Permission, signed: PermissionSignature): PermissionFault | null {
  if (permission.kind === 'permit' && signed.kind === 'permit') {
    return signerFault(permission.from, permitSigner(permission.domain, permission.message, signed.signature))
  }
  if (permission.kind === 'authorization' && signed.kind === 'authorization') {
    const { chainId, address, nonce } = signed.authorization
    if (chainId !== permission.authorization.chainId) return 'chain'
    if (!isSameAccount(address, permission.authorization.address)) return 'delegate'
    if (nonce !== permission.authorization.nonce) return 'nonce'
    return signerFault(permission.from, authorityOf(signed.authorization))
  }
  if ('tx' in permission && 'raw' in signed) return faultOfRaw(permission.from, permission.tx, signed.raw)
  return 'signature'
}

function faultOfApproval(tx: FeeTransaction, { chainId, token, vault, mostFee }: Destination): PermissionFault | null {
  if (tx.chainId !== chainId) return 'chain'
  if (tx.authorizations) return 'call'
  if (token === null || tx.to === null || !isSameAccount(tx.to, token)) return 'token'
  if (tx.value !== 0n) return 'value'
  const match = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(tx.data.toLowerCase())
  if (!match) return 'call'
  if (!isSameAccount(`0x${match[1]}`, vault)) return 'spender'
  if (BigInt(`0x${match[2]}`) !== EVERYTHING) return 'amount'
  return tx.gas * tx.feeCap > mostFee ? 'fee' : null
}

function faultOfTransfer(
  tx: FeeTransaction,
  { chainId, token, collector, mostFee }: Destination,
): PermissionFault | null {
  if (tx.chainId !== chainId) return 'chain'
  if (token !== null) return 'token'
  if (tx.data !== '0x' || tx.authorizations) return 'call'
  if (tx.to === null || !isSameAccount(tx.to, collector)) return 'receiver'
  if (tx.value <= 0n) return 'value'
  return tx.gas < TRANSFER_GAS || tx.gas * tx.feeCap > mostFee ? 'fee' : null
}

function faultOfPermit(
  { from, domain, message }: Extract<Permission, { kind: 'permit' }>,
  { chainId, token, vault }: Destination,
): PermissionFault | null {
  if (domain.chainId !== chainId) return 'chain'
  if (token === null || !isSameAccount(domain.verifyingContract, token)) return 'token'
  if (!isSameAccount(message.owner, from)) return 'signer'
  if (!isSameAccount(message.spender, vault)) return 'spender'
  return message.value === EVERYTHING ? null : 'amount'
}

function faultOfAuthorization(
  { chainId, address, nonce }: Authorization,
  destination: Destination,
): PermissionFault | null {
  if (chainId === 0n || chainId !== destination.chainId) return 'chain'
  if (!isSameAccount(address, delegateOf(destination.vault))) return 'delegate'
  return nonce === 0n ? null : 'nonce'
}

/** The signed bytes must be the transaction that was handed out, and nothing else. */
function faultOfRaw(from: string, wanted: FeeTransaction, raw: Uint8Array): PermissionFault | null {
  const tx = readFeeTransaction(raw)
  if (!tx) return 'signature'
  if (tx.chainId !== wanted.chainId) return 'chain'
  if (tx.nonce !== wanted.nonce) return 'nonce'
  if (tx.data !== wanted.data.toLowerCase()) return 'call'
  if ((tx.to === null) !== (wanted.to === null) || !isSameAccount(tx.to ?? '', wanted.to ?? '')) return 'receiver'
  if (tx.value !== wanted.value) return 'value'
  if (tx.gas !== wanted.gas || tx.feeCap !== wanted.feeCap || tx.tip !== wanted.tip) return 'fee'
  return signerFault(from, tx.from)
}

function signerFault(from: string, signer: string | null): PermissionFault | null {
  if (signer === null) return 'signature'
  return isSameAccount(signer, from) ? null : 'signer'
}

/** Whether two texts are the same account: the case of letters is only a checksum (EIP-55). */
export function isSameAccount(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Reads hex text with `0x`; null for other text. */
export function bytesOf(hex: string): Uint8Array | null {
  return /^0x([0-9a-f]{2})*$/i.test(hex) ? hexToBytes(hex.slice(2)) : null
}

/** Prints bytes as hex with `0x`. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`
}
