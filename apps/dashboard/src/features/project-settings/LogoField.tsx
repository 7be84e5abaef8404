import { ImageOff } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { Button } from '../../ui/Button.tsx'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** The largest file the server takes: 1 MB. */
const MAX_BYTES = 1024 * 1024

const REFUSED = 'The logo must be a PNG, JPEG or WebP image up to 1 MB.'

export type LogoFieldProps = {
  /** The saved logo; empty when there is none. */
  readonly path: string
  readonly file: File | undefined
  readonly error: string | undefined
  /** A new file, or none together with an empty path to remove what is there. */
  readonly onChange: (change: { readonly logo: File | undefined; readonly logoPath: string }) => void
}

/** The logo payers see: shows it, takes another file, or removes it. */
export function LogoField({ path, file, error, onChange }: LogoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<string>()
  const preview = usePreview(file)
  const shown = file === undefined ? path : preview
  const note = refusal ?? error

  useEffect(() => {
    // Saved, discarded or removed: the browser must not go on naming the file.
    if (file === undefined && input.current !== null) input.current.value = ''
  }, [file])

  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    const isTaken = TYPES.includes(chosen.type) && chosen.size <= MAX_BYTES
    setRefusal(isTaken ? undefined : REFUSED)
    if (isTaken) onChange({ logo: chosen, logoPath: path })
  }
  /** A file that is no image, whatever its name says: what was there before stays. */
  const refuse = () => {
    setRefusal(REFUSED)
    onChange({ logo: undefined, logoPath: path })
  }
  const remove = () => {
    setRefusal(undefined)
    onChange({ logo: undefined, logoPath: '' })
  }

  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-body font-medium">
        Logo
      </label>
      <div className="flex flex-wrap items-center gap-4">
        <span className="inline-flex size-16 shrink-0 items-center justify-center overflow-hidden rounded-card border border-border bg-sunken text-muted">
          {shown === '' ? (
            <ImageOff aria-label="No logo" size={20} strokeWidth={1.5} />
          ) : (
            <img
              src={shown}
              alt={file === undefined ? 'Current logo' : 'New logo'}
              onError={() => file !== undefined && refuse()}
              className="size-full object-contain"
            />
          )}
        </span>
        <input
          ref={input}
          id={id}
          name="logo"
          type="file"
          accept={TYPES.join(',')}
          aria-describedby={`${id}-note`}
          aria-invalid={note === undefined ? undefined : true}
          onChange={(event) => choose(event.currentTarget.files?.[0])}
          className="min-w-0 flex-1 basis-52 text-dense text-muted file:me-3 file:h-8 file:cursor-pointer file:rounded-control file:border file:border-border file:bg-raised file:px-2.5 file:font-medium file:text-ink coarse:file:h-11"
        />
        {shown !== '' && (
          <Button size="small" kind="quiet" onClick={remove}>
            Remove logo
          </Button>
        )}
      </div>
      <p id={`${id}-note`} className={`text-dense ${note === undefined ? 'text-muted' : 'text-danger-text'}`}>
        {note ?? 'PNG, JPEG or WebP up to 1 MB; a square shows best.'}
      </p>
    </div>
  )
}

/** Returns an address to draw a chosen file from; the page's policy allows images as data only. */
function usePreview(file: File | undefined): string {
  const [preview, setPreview] = useState('')
  useEffect(() => {
    setPreview('')
    if (file === undefined) return
    const reader = new FileReader()
    reader.addEventListener('load', () => setPreview(typeof reader.result === 'string' ? reader.result : ''))
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return preview
}
