import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FileUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'

import { fileSize } from '../../lib/text/file-size.ts'
import { buttonClasses } from '../actions/button-classes.ts'
import { Field } from './Field.tsx'

export type FileFieldProps = {
  readonly label: string
  readonly accept: string
  /** Its limits, named before they are met. */
  readonly hint: ReactNode
  readonly error?: string | undefined
  readonly name?: string
  /** What was chosen; its name and size are shown. */
  readonly file: File | undefined
  /** The whole matter of a page, not one field of a form. */
  readonly roomy?: boolean
  /** What the file looks like, before the button. */
  readonly picture?: ReactNode
  /** A further press, beside the button. */
  readonly children?: ReactNode
  readonly onFile: (file: File) => void
}

const LOOKS = {
  roomy: { box: 'flex-col justify-center px-6 py-10 text-center', size: 'medium' },
  slim: { box: 'p-3', size: 'small' },
} as const

/** Takes a file by a press, by keyboard or by dropping it: a real file input, with a button of ours in its place. */
export function FileField({ file, name, accept, roomy = false, picture, children, onFile, ...frame }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const chosenId = useId()
  const { box, size } = roomy ? LOOKS.roomy : LOOKS.slim
  const take = (files: FileList | null) => {
    const [first] = files ?? []
    if (first !== undefined) onFile(first)
  }
  const { isOver, handlers } = useDrop(take)

  useEffect(() => {
    // Saved, discarded or refused: the browser must not go on naming the file.
    if (file === undefined && input.current !== null) input.current.value = ''
  }, [file])

  return (
    <Field {...frame} isErrorSpoken>
      {({ 'aria-describedby': noteId, ...control }) => (
        <div
          {...handlers}
          className={`relative flex items-center gap-3 rounded-card border border-dashed ${box} ${isOver ? 'border-solid border-accent-text bg-selected outline-2 outline-accent-text' : 'border-border-control bg-surface'}`}
        >
          {picture ?? <FileUp aria-hidden size={24} strokeWidth={1.5} className="shrink-0 text-muted" />}
          <div className={`flex min-w-0 flex-col gap-1.5 ${roomy ? 'items-center' : 'flex-1'}`}>
            <div className="flex flex-wrap items-center gap-2">
              <input
                {...control}
                ref={input}
                type="file"
                name={name}
                accept={accept}
                aria-describedby={`${chosenId} ${noteId ?? ''}`}
                // The same file again is a choice too.
                onClick={(event) => (event.currentTarget.value = '')}
                onChange={(event) => take(event.currentTarget.files)}
                className="peer sr-only"
              />
              <label
                htmlFor={control.id}
                className={`${buttonClasses('secondary', size)} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus`}
              >
                {file === undefined ? t`Choose file` : t`Choose another file`}
              </label>
              {children}
            </div>
            <p id={chosenId} role="status" className="max-w-full text-dense break-words empty:hidden">
              {file !== undefined && (
                <>
                  <bdi>{file.name}</bdi> <span className="text-muted">{fileSize(file.size)}</span>
                </>
              )}
            </p>
            {file === undefined && (
              <p className="text-dense text-muted coarse:hidden">
                <Trans>or drop it here</Trans>
              </p>
            )}
          </div>
        </div>
      )}
    </Field>
  )
}

/** Returns whether files are held over an area, and what the area listens to. */
function useDrop(onFiles: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(true)
  }
  const leave = (event: DragEvent) => {
    // Moving onto something inside the area is no leaving.
    if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setIsOver(false)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onFiles(event.dataTransfer.files)
  }
  return { isOver, handlers: { onDragOver: over, onDragLeave: leave, onDrop: drop } }
}
