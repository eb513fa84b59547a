import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { useState } from 'react'
import classes from './avatar.module.css'
import { ChannelGlyph } from './channel-glyph.tsx'
import { initialsOf, tintOf } from './initials.ts'

type Props = {
  name: string
  src?: string | null
  size?: number
  channel?: ChannelKind
  online?: boolean
  away?: boolean
}

/** A person: the photo when it loads, initials on a colour of the name otherwise; the channel's mark in the corner. */
export const Avatar = ({ name, src, size = 36, channel, online, away = false }: Props) => {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span className={classes.avatar} style={{ width: size, height: size, fontSize: Math.round(size * 0.38) }}>
      {src && failed !== src ? (
        <img src={src} alt="" loading="lazy" className={classes.photo} onError={() => setFailed(src)} />
      ) : (
        <span
          className={classes.initials}
          style={{ background: tintOf(name) }}
          data-initials={initialsOf(name)}
          aria-hidden
        />
      )}
      {channel && (
        <span className={classes.corner}>
          <ChannelGlyph channel={channel} size={Math.max(14, Math.round(size * 0.42))} />
        </span>
      )}
      {online !== undefined && (
        <span
          className={classes.presence}
          data-online={online}
          data-away={online && away}
          role="img"
          aria-label={!online ? 'Offline' : away ? 'Em pausa' : 'Online'}
        />
      )}
    </span>
  )
}
