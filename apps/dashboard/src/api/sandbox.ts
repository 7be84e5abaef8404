import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { PayCase } from '@kassa/contract/sandbox/schemas.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** The local chains and what the payer holds. */
export const sandboxQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: ({ signal }) => call(sandboxRoutes.getSandbox, {}, { signal }),
})

/** The letters that were kept because there is no mail server, newest first. */
export const sandboxEmailsQuery = queryOptions({
  queryKey: ['sandbox', 'mail'],
  queryFn: ({ signal }) => call(sandboxRoutes.listEmails, {}, { signal }),
  staleTime: 0,
})

/** Pays a payment with a real transfer on a local chain. @throws RequestError */
export function payAsCustomer(reference: string, payCase: PayCase) {
  return call(sandboxRoutes.payAsCustomer, { params: { ref: reference }, body: { case: payCase } })
}

/** Mines empty blocks on a local chain and returns its height. @throws RequestError */
export function mineBlocks(blockchainCode: string, blocks: number) {
  return call(sandboxRoutes.mineBlocks, { params: { b: blockchainCode }, body: { blocks } })
}

/** Replaces the newest blocks of a local chain and returns its height. @throws RequestError */
export function reorganise(blockchainCode: string, depth: number) {
  return call(sandboxRoutes.reorganise, { params: { b: blockchainCode }, body: { depth } })
}

/** Has a promoter of a project bring a friend who pays; the reward follows when the payment is final. @throws RequestError */
export function bringFriend(projectId: string) {
  return call(sandboxRoutes.bringFriend, { params: { p: projectId } })
}
