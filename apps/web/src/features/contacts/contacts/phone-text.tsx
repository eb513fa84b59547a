import { useEffect, useState } from 'react'
import { formatPhone } from '../../../kit/format.ts'
import { isBrazilian, showPhone } from './phone.ts'

/** A contact's number as people read it, whatever the country. */
export const PhoneText = ({ number }: { number: string }) => {
  const [foreign, setForeign] = useState<string | null>(null)
  useEffect(() => {
    let wanted = !isBrazilian(number)
    if (wanted) void formatPhone(number).then((text) => wanted && setForeign(text))
    return () => {
      wanted = false
    }
  }, [number])
  return <span className="tabular">{isBrazilian(number) ? showPhone(number) : (foreign ?? showPhone(number))}</span>
}
