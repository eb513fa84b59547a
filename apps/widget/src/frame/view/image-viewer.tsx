import { useEffect, useRef } from 'preact/hooks'
import type { Media } from '../api.ts'
import { safeUrl } from '../files.ts'
import { say } from '../words.ts'
import { Icon } from './icons.tsx'
import { openRenewed, type Renew, useRenewal } from './renewal.ts'

export const ImageViewer = ({ media, renew, onClose }: { media: Media; renew: Renew; onClose: () => void }) => {
  const { fail } = useRenewal(media.url, renew)
  const closeButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    closeButton.current?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  const src = safeUrl(media.url)
  return (
    <div class="viewer" role="dialog" aria-label={say('picture', { name: media.name })}>
      <div class="viewer-bar">
        <span class="viewer-name">{media.name}</span>
        <a
          class="icon-button"
          href={src}
          download={media.name}
          title={say('download')}
          aria-label={say('downloadPicture')}
          onClick={(event) => openRenewed(event, renew)}
        >
          <Icon name="download" />
        </a>
        <button
          ref={closeButton}
          type="button"
          class="icon-button"
          title={say('closePicture')}
          aria-label={say('closePicture')}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the ground is a shortcut; the button and Escape do the same */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div class="viewer-stage" onClick={onClose}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on the picture from closing it */}
        <img src={src} alt={media.name} onError={() => void fail()} onClick={(event) => event.stopPropagation()} />
      </div>
    </div>
  )
}
