import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { ReactNode, RefObject, SubmitEvent } from 'react'

import { Banner } from '../feedback/Banner.tsx'
import { Button } from '../actions/Button.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import { DiscardDialog } from './DiscardDialog.tsx'
import { useFormChanges } from './useFormChanges.ts'

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
  /** Nothing it holds would be lost: the server has it, or it is one short text. */
  readonly isSafe?: boolean
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  readonly onClose: () => void
}

/**
 * A form in a dialog: saved, or left as it was. While it is being sent nothing closes it. Escape, the backdrop, the cross
 * and the ways out of its page may be meant for something else: they ask before what was filled in is lost. Cancel says
 * so itself, as long as there is something to cancel.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, save, cancel = t`Cancel`, size = 560, danger = false, sending = false, isSafe = false } = props
  const { offReason, failure, initialFocus, children, onSubmit, onClose } = props
  const formId = useId()
  // What is on its way may be there before its answer is.
  const { fields, onChange, leave, question } = useFormChanges({ isSafe: isSafe || sending, onClose })
  const isOff = offReason !== undefined
  const foot = (
    <>
      <Button onClick={isOff ? leave : onClose} disabled={sending}>
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
        onClose={leave}
        foot={foot}
      >
        <form ref={fields} id={formId} noValidate onChange={onChange} onSubmit={submit} className="flex flex-col gap-4">
          {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
          {children}
        </form>
      </Dialog>
      <DiscardDialog {...question} />
    </>
  )
}
