import { queryOptions } from '@tanstack/react-query'

/** The built signer: what its bytes hash to. */
type SignerFile = { readonly sha256: string; readonly bytes: number }

/** The hash of the signer that this server offers; null where it has none. */
export const signerQuery = queryOptions({
  queryKey: ['signer'],
  queryFn: async ({ signal }): Promise<SignerFile | null> => {
    const answer = await fetch('/signer.json', { signal })
    return answer.ok ? ((await answer.json()) as SignerFile) : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})
