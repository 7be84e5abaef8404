import type { Vault } from '../../sweep-contracts/service.ts'

/** The sweep contract that addresses were asked to permit, and the cold wallet to which it sent. */
export type End = { readonly vault: string; readonly collector: string }

/** Whether money of addresses still goes through that sweep contract to that cold wallet, and may go there. */
export function isInUse(end: End, now: Vault | null): boolean {
  return isPaid(end, now) && now?.address === end.vault
}

/** Whether that cold wallet is still the one to which a sweep contract sends, and may be paid. */
export function isPaid({ collector }: Pick<End, 'collector'>, now: Vault | null): boolean {
  return now?.problem === null && now.collector === collector
}
