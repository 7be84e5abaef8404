import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { ReactNode, RefObject, SubmitEvent } from 'react'

import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export type FormDialogProps = {
  readonly title: string
  /** What the press does that sends the form. */
  readonly save: string
  /** Says that nothing happens. */
  readonly cancel?: string
  readonly size?: 400 | 560 | 720
  readonly sending?: boolean
  /** Why it could not be saved, where no field says it. */
  readonly failure?: string | undefined
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
  readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  readonly onClose: () => void
}

/** A form in a dialog: saved, or left as it was. While it is being sent nothing closes it. */
export function FormDialog({
  title,
  save,
  cancel = t`Cancel`,
  size = 560,
  sending = false,
  failure,
  initialFocus,
  children,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const formId = useId()
  const foot = (
    <>
      <Button onClick={onClose} disabled={sending}>
        {cancel}
      </Button>
      <Button kind="primary" type="submit" form={formId} loading={sending}>
        {save}
      </Button>
    </>
  )
  const focus = initialFocus === undefined ? {} : { initialFocus }
  return (
    <Dialog title={title} size={size} locked={sending} {...focus} onClose={onClose} foot={foot}>
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {children}
      </form>
    </Dialog>
  )
}
