import { useEffect, useState } from 'react'

/** Returns an address to draw a chosen file from; the page's policy allows images as data only. */
export function useFileAddress(file: File | undefined): string {
  const [address, setAddress] = useState('')
  useEffect(() => {
    setAddress('')
    if (file === undefined) return
    const reader = new FileReader()
    reader.addEventListener('load', () => setAddress(typeof reader.result === 'string' ? reader.result : ''))
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return address
}
