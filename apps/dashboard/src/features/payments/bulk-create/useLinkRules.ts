import { useQuery, useQueryClient } from '@tanstack/react-query'

import { paymentPolicyQuery } from '../../../api/payment-policy.ts'
import { readinessQuery } from '../../../api/payments.ts'
import type { LinkRules } from './link-rows.ts'

type Rules = {
  /** As far as they are known now. */
  readonly rules: LinkRules
  /** Waits until they are known: a file that is read before would be checked by half of them. */
  readonly askRules: () => Promise<LinkRules>
}

/** Returns what a project asks of every link. */
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

/** Until the project's own rule is known, the stricter one holds: the server has the last word anyway. */
function rulesOf(
  policy: { readonly customerEmailRequired: boolean } | undefined,
  readiness: { readonly leastAmountInUSD: string | null } | undefined,
): LinkRules {
  return {
    isEmailRequired: policy?.customerEmailRequired ?? true,
    leastAmount: readiness?.leastAmountInUSD ?? null,
  }
}
