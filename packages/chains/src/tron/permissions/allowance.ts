import type { ChainSession } from '../../adapter.ts'
import { addressKey } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { readWord } from '../state/constant-calls.ts'

/** First four bytes of keccak256("allowance(address,address)") (TRC-20). */
const ALLOWANCE = 'dd62ed3e'

/** The least allowance that counts as unlimited: some tokens reduce even the largest allowance by what is taken. */
const EVERYTHING_LEFT = 2n ** 255n

type Ask = { readonly token: string; readonly vault: string; readonly owner: string }

/** Whether the vault may take all of a token that an address will ever hold. */
export async function isAllowed(session: ChainSession, { token, vault, owner }: Ask): Promise<boolean> {
  const [from, to] = [addressKey(owner), addressKey(token)]
  const words = [from, addressKey(vault)].map((key) => toHex(key).padStart(64, '0'))
  const data = fromHex(ALLOWANCE + words.join(''))
  return (await readWord(session, { from, to, units: 0n, data })) >= EVERYTHING_LEFT
}
