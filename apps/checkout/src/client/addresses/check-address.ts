import { isSameAddress } from '@kassa/keys/address-case.ts'
import { isProven } from './proof.ts'

/** The facts of a deposit address that this check compares. */
export type ExpectedAddress = { readonly Address: string; readonly blockchainCode: string; readonly proof: string }

export type AddressCheckResult =
  | { readonly kind: 'yes'; readonly merchant: string; readonly blockchainCode: string }
  | { readonly kind: 'no'; readonly given: string }
  | { readonly kind: 'none' | 'badLink' | 'unknown' | 'failed' }

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Finds the reference in a payment link, or in pasted text. */
export function referenceIn(link: string): string | null {
  const named = URL.parse(link.trim())?.searchParams.get('reference_id') ?? link
  return UUID.exec(named)?.[0].toLowerCase() ?? null
}

/** Asks which addresses were given for a payment and believes none whose proof the key did not sign. */
export async function checkAddress(link: string, pasted: string, publicKey: string): Promise<AddressCheckResult> {
  const reference = referenceIn(link)
  if (reference === null) return { kind: 'badLink' }
  try {
    const answer = await request(`deposit-address/reference/${reference}`)
    if (answer.status === 401) return { kind: 'unknown' }
    if (!answer.ok) return { kind: 'failed' }
    const given = (await answer.json()) as readonly ExpectedAddress[]
    const proven = given.filter(({ Address: address, blockchainCode, proof }) =>
      isProven({ reference, blockchainCode, address }, proof, publicKey),
    )
    const found = proven.find(({ Address: address }) => isSameAddress(address, pasted))
    const [first] = proven
    if (found === undefined)
      return first === undefined && given.length === 0 ? { kind: 'none' } : { kind: 'no', given: first?.Address ?? '' }
    const merchant = await merchantOf(reference)
    if (merchant === null) return { kind: 'failed' }
    return { kind: 'yes', merchant, blockchainCode: found.blockchainCode }
  } catch {
    return { kind: 'failed' }
  }
}

/** Whose payment it is; null when the server does not say. */
async function merchantOf(reference: string): Promise<string | null> {
  const answer = await request(`external-platform/reference/${reference}`)
  if (!answer.ok) return null
  const { name } = (await answer.json()) as { readonly name?: unknown }
  return typeof name === 'string' && name !== '' ? name : null
}

function request(path: string): Promise<Response> {
  return fetch(`/api/v1/${path}`, { cache: 'no-store' })
}
