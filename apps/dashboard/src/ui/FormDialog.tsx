import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { ReactNode, RefObject, SubmitEvent } from 'react'

import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'
import { useFormChanges } from './use-form-changes.ts'

export type FormDialogProps = {
  readonly title: string
  /** What the press does that sends the form. */
  readonly save: string
  /** Says that nothing happens. */
  readonly cancel?: string
  readonly size?: 400 | 560 | 720
  /** What is sent takes something away. */
  readonly danger?: boolean
  readonly sending?: boolean
  /** Why the form can no longer be sent; what was typed stays to be read. */
  readonly offReason?: string | undefined
  /** Why it could not be saved, where no field says it. */
  readonly failure?: string | undefined
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  readonly onClose: () => void
}

/**
 * A form in a dialog: saved, or left as it was. While it is being sent nothing closes it. Escape, the backdrop and the
 * cross may be meant for something else: they ask before what was filled in is lost. Cancel says so itself.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, save, cancel = t`Cancel`, size = 560, danger = false, sending = false } = props
  const { offReason, failure, initialFocus, children, onSubmit, onClose } = props
  const formId = useId()
  const { form, onChange, isChanged } = useFormChanges()
  const [isAsking, setAsking] = useState(false)
  const isOff = offReason !== undefined
  const foot = (
    <>
      <Button onClick={onClose} disabled={sending}>
        {cancel}
      </Button>
      <Button
        kind={danger ? 'danger' : 'primary'}
        type="submit"
        form={formId}
        loading={sending}
        disabled={isOff}
        {...(isOff && { title: offReason })}
      >
        {save}
      </Button>
    </>
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    if (isOff) event.preventDefault()
    else onSubmit(event)
  }
  return (
    <>
      <Dialog
        title={title}
        size={size}
        locked={sending}
        {...(initialFocus !== undefined && { initialFocus })}
        onClose={() => (isChanged() ? setAsking(true) : onClose())}
        foot={foot}
      >
        <form ref={form} id={formId} noValidate onChange={onChange} onSubmit={submit} className="flex flex-col gap-4">
          {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
          {children}
        </form>
      </Dialog>
      {isAsking && (
        <ConfirmDialog
          title={t`Discard what you filled in?`}
          action={t`Discard`}
          keep={t`Keep editing`}
          onClose={() => setAsking(false)}
          onConfirm={async () => onClose()}
        >
          <p className="text-body">
            <Trans>Nothing of it is saved yet.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
