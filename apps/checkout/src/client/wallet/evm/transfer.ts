import { foldLike } from '@kassa/keys/address-case.ts'
import type { PayFacts } from '../../../render/panels/wallet.ts'

/** A wallet's door (EIP-1193). */
export type Provider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
  readonly on?: (event: string, listener: () => void) => void
}

/** A transaction as a wallet takes it (`eth_sendTransaction`). */
export type Transfer = {
  /** Makes a wallet that has changed its network meanwhile refuse. */
  readonly chainId: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly data?: string
}

/** `transfer(address,uint256)` and `balanceOf(address)` of ERC-20. */
const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'

/** Builds the transaction that transfers exactly what the page asks for. */
export function transferOf({ chainId, to, token, units }: PayFacts, from: string): Transfer {
  if (token === null) return { chainId, from, to, value: hex(BigInt(units)) }
  return { chainId, from, to: token, value: '0x0', data: `${TRANSFER}${argument(to)}${argument(hex(BigInt(units)))}` }
}

/** Gives whether an account lacks the amount or the network fee; null when it can pay, or when the wallet cannot say. */
export async function shortage(provider: Provider, pay: PayFacts, from: string): Promise<'noMoney' | 'noFee' | null> {
  const read = async (method: string, ...params: readonly unknown[]) =>
    BigInt(String(await provider.request({ method, params })))
  const due = BigInt(pay.units)
  try {
    // The token comes first: if a later request fails, an address without a contract must still be reported.
    if (pay.token !== null && (await tokenBalanceOf(provider, pay.token, from)) < due) return 'noMoney'
    const native = await read('eth_getBalance', from, 'latest')
    if (pay.token === null && native < due) return 'noMoney'
    const fee = (await read('eth_estimateGas', transferOf(pay, from))) * (await read('eth_gasPrice'))
    return native < fee + (pay.token === null ? due : 0n) ? 'noFee' : null
  } catch {
    return null
  }
}

/** The token balance; 0 when the address has no contract (the answer is `0x`), where a transfer would only cost its fee. */
async function tokenBalanceOf(provider: Provider, token: string, account: string): Promise<bigint> {
  const call = { to: token, data: `${BALANCE_OF}${argument(account)}` }
  const answer = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
  return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? BigInt(answer) : 0n
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** Encodes one argument of a contract call: 32 bytes of hexadecimal digits. */
function argument(value: string): string {
  return foldLike(value, value).slice(2).padStart(64, '0')
}
