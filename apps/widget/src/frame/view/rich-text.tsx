import { splitText } from '../text-parts.ts'

export const RichText = ({ text }: { text: string }) => (
  <>
    {splitText(text).map(({ text: shown, href, mark: Mark }, index) => {
      const key = `${index}${shown}`
      if (href) {
        return (
          <a key={key} href={href} target="_blank" rel="noopener nofollow ugc">
            {shown}
          </a>
        )
      }
      return Mark ? <Mark key={key}>{shown}</Mark> : shown
    })}
  </>
)
