import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { useRef, useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useChangePaymentPolicy } from '../../api/payment-policy.ts'
import { useForm } from '../../lib/form.ts'
import { Card } from '../../ui/Card.tsx'
import { LeaveGuard } from '../../ui/LeaveGuard.tsx'
import { toast } from '../../ui/toast.ts'
import { ConfirmationRules } from './ConfirmationRules.tsx'
import { PolicyFields } from './PolicyFields.tsx'
import { policyChanges, policyErrors, policyValues, ruleErrors } from './policy-values.ts'
import { SaveBar } from './SaveBar.tsx'

/** How a project wants its payments handled; what is saved is what was changed. */
export function PolicyForm({ projectId, policy }: { projectId: string; policy: PaymentPolicy }) {
  // What the changes are counted from: what was last saved, not what another screen's refresh brings in.
  const [saved, setSaved] = useState(policy)
  const [failure, setFailure] = useState<string>()
  const change = useChangePaymentPolicy()
  const frame = useRef<HTMLFormElement>(null)

  // The bar goes with its last change; whoever pressed one of its buttons must not be thrown to the top of the page.
  const keepFocus = () => {
    if (document.activeElement instanceof HTMLButtonElement) frame.current?.focus({ preventScroll: true })
  }
  const form = useForm({
    initial: policyValues(saved),
    validate: (values) => policyErrors(saved, values),
    submit: async (values) => {
      setFailure(undefined)
      try {
        const after = await change(projectId, policyChanges(saved, values))
        setSaved(after)
        form.set(policyValues(after))
        keepFocus()
        toast.success('Payment policy saved')
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  const changes = Object.keys(policyChanges(saved, form.values)).length
  const discard = () => {
    setFailure(undefined)
    form.set(policyValues(saved))
    keepFocus()
  }
  const rulesError = form.errors.confirmationRules
  const errors = rulesError === undefined ? new Map<string, string>() : ruleErrors(form.values)
  return (
    <form ref={frame} tabIndex={-1} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4 outline-none">
      <PolicyFields form={form} />
      <Card
        title="Confirmations"
        text="How deep money must lie before it counts. A rule can only ask for more than the network itself needs; money above your largest amount follows the rule of that amount."
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
      {changes > 0 && <SaveBar changes={changes} failure={failure} sending={form.sending} onDiscard={discard} />}
      <LeaveGuard isDirty={changes > 0} />
    </form>
  )
}
