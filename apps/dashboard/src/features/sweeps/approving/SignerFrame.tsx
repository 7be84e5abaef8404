import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'

/** What the signer says to the page around it (packages/signer/page/frame.ts). */
type SignerMessage = { readonly kassaSigner?: unknown; readonly file?: unknown }

type SignerFrameProps = {
  /** The text of a job file. */
  readonly job: string
  /** Gets the text of the file of signatures. */
  readonly onSigned: (file: string) => void
}

/**
 * The signer inside this page, where no real money moves: sandboxed, without an origin, with no way to the network. Words that are
 * typed into it stay in it; a job goes in, signatures come out.
 */
export function SignerFrame({ job, onSigned }: SignerFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  // The job is handed over once, also when the listener changes.
  const listener = useRef(onSigned)
  useEffect(() => {
    listener.current = onSigned
  }, [onSigned])
  useEffect(() => {
    const hand = () => frame.current?.contentWindow?.postMessage({ kassaSigner: 'job', job }, '*')
    const hear = ({ source, data }: MessageEvent<SignerMessage | null>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      if (data?.kassaSigner === 'ready') hand()
      if (data?.kassaSigner === 'signed' && typeof data.file === 'string') listener.current(data.file)
    }
    window.addEventListener('message', hear)
    hand()
    return () => window.removeEventListener('message', hear)
  }, [job])
  return (
    <div className="flex flex-col gap-2">
      <p className="text-body text-muted">
        <Trans>
          On test networks the signer runs here, cut off from this page and from the network. On mainnet it is a file
          that you open with the cable pulled.
        </Trans>
      </p>
      <iframe
        ref={frame}
        title={t`Signer`}
        src="/signer-frame.html"
        sandbox="allow-scripts"
        className="h-160 w-full rounded-md border border-border bg-surface"
      />
    </div>
  )
}
