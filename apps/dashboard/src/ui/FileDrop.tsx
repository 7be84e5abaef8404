import { FileUp } from 'lucide-react'
import { useId, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'

export type FileDropProps = {
  readonly label: string
  readonly accept: string
  /** Its limits, named before they are met. */
  readonly hint: ReactNode
  readonly error?: string | undefined
  readonly onFile: (file: File) => void
}

/** A real file input inside an area a file can be dropped on. */
export function FileDrop({ label, accept, hint, error, onFile }: FileDropProps) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (file !== undefined) onFile(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center gap-3 rounded-card border border-dashed px-6 py-10 text-center ${isOver ? 'border-accent-text bg-selected' : 'border-border-control bg-surface'}`}
    >
      <FileUp aria-hidden size={24} strokeWidth={1.5} className="text-muted" />
      <label htmlFor={id} className="text-body font-medium">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-note`}
        aria-invalid={error === undefined ? undefined : true}
        onChange={(event) => {
          take(event.currentTarget.files)
          // The same file again is a choice too.
          event.currentTarget.value = ''
        }}
        className="max-w-full text-dense text-muted file:me-3 file:h-9 file:cursor-pointer file:rounded-control file:border file:border-border file:bg-raised file:px-3 file:font-medium file:text-ink coarse:file:h-11"
      />
      <p
        id={`${id}-note`}
        role={error === undefined ? undefined : 'alert'}
        className={`max-w-[60ch] text-dense ${error === undefined ? 'text-muted' : 'text-danger-text'}`}
      >
        {error ?? hint}
      </p>
    </div>
  )
}
