import type { ReadPaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'

import { RequestError } from '../../../api/request-error.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { paymentPolicyQuery, useChangePaymentPolicy } from '../../../api/payment-policy.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { ConfirmationRules } from './ConfirmationRules.tsx'
import { PolicyFields } from './PolicyFields.tsx'
import { policyChanges, policyErrors, policyLabel, policyValues, ruleErrors, settingText } from './policy-values.ts'
import type { PolicyValues } from './policy-values.ts'
import { SavedFormFrame } from '../saved-form/SavedFormFrame.tsx'
import { useSavedForm } from '../saved-form/useSavedForm.ts'
import type { SaveOutcome } from '../saved-form/useSavedForm.ts'

/** How a project wants its payments handled; what is saved is what was changed. */
export function PolicyForm({ projectId, policy }: { projectId: string; policy: ReadPaymentPolicy }) {
  const change = useChangePaymentPolicy()
  const queryClient = useQueryClient()

  const save = async (from: ReadPaymentPolicy, values: PolicyValues): Promise<SaveOutcome<ReadPaymentPolicy>> => {
    try {
      return { saved: await change(projectId, policyChanges(from, values), from.updatedAt) }
    } catch (thrown) {
      if (thrown instanceof RequestError && thrown.code === 'EDIT_CONFLICT') return { isConflict: true }
      const { fields, text } = formFailure(thrown, Object.keys(values))
      return text === undefined ? { errors: fields } : { failure: text }
    }
  }
  const edit = useSavedForm<ReadPaymentPolicy, PolicyValues>({
    start: policy,
    valuesOf: policyValues,
    changed: (saved, values) => Object.keys(policyChanges(saved, values)) as (keyof PolicyValues)[],
    validate: policyErrors,
    save,
    reload: () => queryClient.query({ ...paymentPolicyQuery(projectId), staleTime: 0 }),
    done: t`Payment policy saved`,
  })
  const { form } = edit
  const rulesError = form.errors.confirmationRules
  const errors = rulesError === undefined ? new Map<string, string>() : ruleErrors(policy, form.values)
  return (
    <SavedFormFrame edit={edit} label={policyLabel} show={settingText}>
      <PolicyFields form={form} />
      <Card
        title={t`Confirmations`}
        text={t`How many confirmations a deposit needs before it counts. A rule can only ask for more than the network itself needs; a deposit above your largest amount follows the rule of that amount.`}
      >
        {rulesError !== undefined && errors.size === 0 && (
          <p role="alert" className="mb-3 text-dense text-danger-text">
            {rulesError}
          </p>
        )}
        <ConfirmationRules
          rules={form.values.confirmationRules}
          errors={errors}
          onChange={(confirmationRules) => form.set({ confirmationRules })}
        />
      </Card>
    </SavedFormFrame>
  )
}
