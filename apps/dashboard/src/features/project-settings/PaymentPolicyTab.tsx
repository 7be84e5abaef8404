import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { useQuery } from '@tanstack/react-query'

import { asApiError } from '../../api/api-error.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { paymentPolicyQuery } from '../../api/payment-policy.ts'
import { usdExact } from '../../lib/format.ts'
import { networkName } from '../../lib/network-name.ts'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { KeyValue } from '../../ui/KeyValue.tsx'
import { LoadingText, Skeleton } from '../../ui/Skeleton.tsx'
import { PolicyForm } from './PolicyForm.tsx'

/** How a project wants its payments handled: to change, or to read for those who may not. */
export function PaymentPolicyTab({ projectId }: { projectId: string }) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const { data: policy, error, refetch } = useQuery(paymentPolicyQuery(projectId))
  if (policy === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorState
          title="The payment policy couldn’t be loaded"
          error={asApiError(error)}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  }
  if (policy === undefined || me === undefined) {
    return (
      <Card>
        <div className="flex flex-col gap-4">
          <Skeleton width={160} height={24} />
          <Skeleton height={36} />
          <Skeleton height={96} />
          <LoadingText text="Loading the payment policy" />
        </div>
      </Card>
    )
  }
  return can('project:update', projectId) ? (
    <PolicyForm projectId={projectId} policy={policy} />
  ) : (
    <PolicyFacts policy={policy} />
  )
}

function PolicyFacts({ policy }: { policy: PaymentPolicy }) {
  const yes = (value: boolean) => (value ? 'Yes' : 'No')
  const rules = policy.confirmationRules.map(
    ({ blockchainCode, upToUSD, confirmations }) =>
      `${networkName(blockchainCode)}, up to ${usdExact(upToUSD)}: ${confirmations === 'finalized' ? 'finalized' : `${confirmations} blocks`}`,
  )
  return (
    <Card title="Payment policy" text="Changing it needs project:update. Ask an administrator.">
      <KeyValue
        rows={[
          { label: 'Link lifetime', value: `${policy.linkLifetimeMinutes} minutes` },
          { label: 'Open links per customer', value: policy.openPaymentsPerCustomer === 'one' ? 'One' : 'Many' },
          { label: 'Customer e-mail required', value: yes(policy.customerEmailRequired) },
          { label: 'Unique invoice IDs', value: yes(policy.uniqueInvoiceID) },
          { label: 'Smallest amount', value: usdExact(policy.minAmountInUSD) },
          { label: 'Largest amount', value: policy.maxAmountInUSD === null ? 'None' : usdExact(policy.maxAmountInUSD) },
          { label: 'Underpayment tolerance', value: `${policy.underpaidTolerancePercent}%` },
          { label: 'Overpayment tolerance', value: `${policy.overpaidTolerancePercent}%` },
          { label: 'Grace for late money', value: `${policy.lateGraceHours} hours` },
          { label: 'Kept money pays the next link', value: yes(policy.applyUnappliedToNext) },
          { label: 'Confirmation rules', value: rules.length === 0 ? 'None of its own' : rules.join('; ') },
        ]}
      />
    </Card>
  )
}
