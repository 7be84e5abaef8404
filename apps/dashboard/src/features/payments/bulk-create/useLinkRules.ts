import { useQuery, useQueryClient } from '@tanstack/react-query'

import { paymentPolicyQuery } from '../../../api/payment-policy.ts'
import { readinessQuery } from '../../../api/payments.ts'
import type { LinkRules } from './link-rows.ts'

type Rules = {
  /** The rules that are known so far. */
  readonly rules: LinkRules
  /** Waits until all rules are known: otherwise a file would be checked against some of them only. */
  readonly askRules: () => Promise<LinkRules>
}

/** Returns what a project requires of every link. */
export function useLinkRules(projectId: string): Rules {
  const client = useQueryClient()
  const { data: readiness } = useQuery(readinessQuery(projectId))
  const { data: policy } = useQuery(paymentPolicyQuery(projectId))
  const askRules = async () => {
    const unknown = () => undefined
    const [policy, readiness] = await Promise.all([
      client.query(paymentPolicyQuery(projectId)).catch(unknown),
      client.query(readinessQuery(projectId)).catch(unknown),
    ])
    return rulesOf(policy, readiness)
  }
  return { rules: rulesOf(policy, readiness), askRules }
}

/** Until the project's own rule is known, the stricter one applies: the server decides in the end. */
function rulesOf(
  policy: { readonly customerEmailRequired: boolean } | undefined,
  readiness: { readonly leastAmountInUSD: string | null } | undefined,
): LinkRules {
  return {
    isEmailRequired: policy?.customerEmailRequired ?? true,
    leastAmount: readiness?.leastAmountInUSD ?? null,
  }
}
