import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { Button } from '../actions/Button.tsx'
import { Banner } from '../feedback/Banner.tsx'
import { TextField } from '../fields/TextField.tsx'
import { Dialog } from './Dialog.tsx'

export type ConsequencesDialogProps = {
  /** Names the object: "Remove node.example". */
  readonly title: string
  readonly consequences: readonly string[]
  readonly action: string
  /** The label of the button that changes nothing; "Cancel" where nothing else is said. */
  readonly keep?: string
  readonly danger?: boolean
  /** The text to type before an action that cannot be undone. */
  readonly typed?: string
  /** Performs the action. An error text it returns is shown in the dialog; without one the dialog closes. */
  readonly onConfirm: () => Promise<string | undefined>
  readonly onClose: () => void
}

/** Lists the consequences of an action before it is confirmed. The safe button has the focus, or the field to fill in. */
export function ConsequencesDialog(props: ConsequencesDialogProps) {
  const { title, consequences, action, keep = t`Cancel`, danger = true, typed, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [sending, setSending] = useState(false)
  const safe = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    if (typed !== undefined && text.trim() !== typed) {
      field.current?.focus()
      return setError(t`Type ${typed} to confirm`)
    }
    setSending(true)
    setFailure(undefined)
    const reason = await onConfirm().finally(() => setSending(false))
    if (reason === undefined) onClose()
    else setFailure(reason)
  }

  const foot = (
    <>
      <Button ref={safe} onClick={onClose} disabled={sending}>
        {keep}
      </Button>
      <Button kind={danger ? 'danger' : 'primary'} type="submit" form="consequences" loading={sending}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog
      title={title}
      size={400}
      locked={sending}
      initialFocus={typed === undefined ? safe : field}
      onClose={onClose}
      foot={foot}
    >
      <form id="consequences" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <ul className="flex list-disc flex-col gap-1 ps-5 text-body">
          {consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        {typed !== undefined && (
          <TextField
            ref={field}
            label={t`Type ${typed} to confirm`}
            name="typed"
            value={text}
            error={error}
            isRequired
            onChange={(value) => {
              setText(value)
              setError(undefined)
            }}
          />
        )}
      </form>
    </Dialog>
  )
}
