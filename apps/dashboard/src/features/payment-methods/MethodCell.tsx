import { t } from '@lingui/core/macro'
import { Star } from 'lucide-react'
import { useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { type PaymentMethod, useChooseDefault, useSwitchMethod } from '../../api/payment-methods.ts'
import type { ListedProject } from '../../api/projects.ts'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { Switch } from '../../ui/fields/Switch.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { isOffered } from './method-rows.ts'

type MethodCellProps = {
  readonly project: ListedProject
  readonly method: PaymentMethod
  /** "USDC on Base". */
  readonly name: string
  /** Nothing else is accepted. */
  readonly isOnly: boolean
  readonly mayChange: boolean
}

/** Whether a project accepts a currency, and whether it is offered first. */
export function MethodCell(props: MethodCellProps) {
  const { method, mayChange } = props
  if (mayChange) return <Controls {...props} />
  const isOn = isOffered(method)
  return <StatusBadge tone={isOn && method.fixedAt === null ? 'success' : 'neutral'} word={isOn ? t`On` : t`Off`} />
}

function Controls({ project, method, name, isOnly }: MethodCellProps) {
  const isOn = isOffered(method)
  const { isSending, run } = useSwitch(project, method, name)
  const [isAsked, setAsked] = useState(false)
  const change = (enabled: boolean) => {
    if (!enabled && isOnly) setAsked(true)
    else void run(enabled)
  }
  const { name: projectName } = project
  return (
    <div className="flex min-h-9 items-center gap-1 max-sm:flex-row-reverse">
      <Switch
        label={t`${name} for ${projectName}`}
        isLabelHidden
        checked={isOn}
        disabled={isSending || method.isOffEverywhere}
        isWithoutEffect={method.fixedAt !== null}
        onChange={change}
      />
      {isOn && <DefaultStar project={project} method={method} name={name} />}
      {isAsked && (
        <ConfirmDialog
          title={t`Turn off ${name}?`}
          action={t`Turn off`}
          onConfirm={async () => {
            await run(false)
            setAsked(false)
          }}
          onClose={() => setAsked(false)}
        >
          {t`It is the last one: ${projectName} couldn’t be paid. Open payments keep what they were made for.`}
        </ConfirmDialog>
      )}
    </div>
  )
}

/** A switch is reversed by pressing it again: no question is asked, and it says what changed. */
function useSwitch({ id, name: projectName }: ListedProject, { optionKey }: PaymentMethod, name: string) {
  const send = useSwitchMethod(id)
  const [isSending, setSending] = useState(false)
  const run = async (enabled: boolean) => {
    setSending(true)
    const failure = await failureOf(() => send(optionKey, enabled))
    setSending(false)
    if (failure !== undefined) toast.error(failure)
    else toast.success(enabled ? t`${projectName} accepts ${name}` : t`${projectName} no longer accepts ${name}`)
  }
  return { isSending, run }
}

function DefaultStar({ project, method, name }: Pick<MethodCellProps, 'project' | 'method' | 'name'>) {
  const choose = useChooseDefault(project.id)
  const isDefault = project.defaultPaymentBlockchainCurrencyID === method.id
  const { name: projectName } = project
  const press = async () => {
    const saved = await choose(isDefault ? null : method)
    if (saved.error !== undefined) toast.error(saved.message)
    else toast.success(isDefault ? t`${projectName} offers nothing first` : t`${projectName} offers ${name} first`)
  }
  return (
    <IconButton
      label={t`Offer ${name} first for ${projectName}`}
      pressed={isDefault}
      icon={<Star aria-hidden fill={isDefault ? 'currentColor' : 'none'} />}
      onClick={() => void press()}
    />
  )
}
