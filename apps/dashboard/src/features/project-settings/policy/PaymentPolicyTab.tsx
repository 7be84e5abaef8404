import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { meQuery, useCan } from '../../../api/me.ts'
import { paymentPolicyQuery } from '../../../api/payment-policy.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { PolicyForm } from './PolicyForm.tsx'
import { POLICY_LABELS, policyLabel, policyValues, settingText } from './policy-values.ts'

/** How a project wants its payments handled: to change, or to read for those who may not. */
export function PaymentPolicyTab({ projectId }: { projectId: string }) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const { data: policy, error, refetch } = useQuery(paymentPolicyQuery(projectId))
  if (policy === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorState
          title={t`The payment policy couldn’t be loaded`}
          error={asRequestError(error)}
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
          <LoadingText text={t`Loading the payment policy`} />
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
  const values = policyValues(policy)
  const names = Object.keys(POLICY_LABELS) as (keyof typeof POLICY_LABELS)[]
  return (
    <Card title={t`Payment policy`} text={t`Changing it needs project:update. Ask an administrator.`}>
      <KeyValue rows={names.map((name) => ({ label: policyLabel(name), value: settingText(name, values) }))} />
    </Card>
  )
}
