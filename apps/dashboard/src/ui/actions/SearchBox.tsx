import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { useSearchState } from '../../lib/navigation/search.ts'

/** How long typing rests before the list is asked again. */
const DEBOUNCE_MS = 300

/** The one search box of a list; its text stands in the address and `/` brings the focus here. */
export function SearchBox({
  label,
  placeholder,
  param = 'query',
}: {
  label: string
  placeholder: string
  param?: string
}) {
  const [search, setSearch] = useSearchState()
  const inAddress = search[param] ?? ''
  const [text, setText] = useState(inAddress)
  const [sent, setSent] = useState(inAddress)
  const input = useRef<HTMLInputElement>(null)

  if (inAddress !== sent) {
    // The address changed under us (Back, a cleared filter): it wins over the text in the box.
    setSent(inAddress)
    setText(inAddress)
  }

  useEffect(() => {
    if (text === sent) return
    const timer = setTimeout(() => {
      setSent(text.trim())
      setSearch({ [param]: text.trim(), cursor: undefined }, { replace: true })
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : undefined
      const isTyping = target?.matches('input, textarea, select, [contenteditable]') ?? false
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <div className="flex h-9 w-full items-center gap-2 rounded-control border border-border-control bg-surface px-3 text-body focus-within:border-focus focus-within:outline-2 focus-within:outline-focus sm:w-80 coarse:h-11 coarse:text-field">
      <Search aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className="h-full min-w-0 flex-1 appearance-none bg-transparent outline-none focus-visible:outline-none"
      />
    </div>
  )
}
