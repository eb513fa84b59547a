import type { Media, MediaKind } from './handset.ts'

/** A small true file of each kind, for customers who send "a picture". The video has a valid header and no frames. */
export const sampleMedia = (kind: MediaKind): Media => ({ ...samples[kind] })

const fromBase64 = (lines: string[]) => Buffer.from(lines.join(''), 'base64')

const pdf = (text: string): Buffer => {
  const content = `BT /F1 24 Tf 60 760 Td (${text}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let out = '%PDF-1.4\n'
  const offsets = objects.map((body, index) => {
    const offset = out.length
    out += `${index + 1} 0 obj${body}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = out.length
  out += `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(out, 'latin1')
}

/** Three seconds of silence as Ogg Opus (RFC 7845), which is what phones record. */
const oggOpus = (): Buffer => {
  const head = Buffer.from('4f707573486561640101380180bb0000000000', 'hex')
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.from([4, 0, 0, 0]), Buffer.from('demo'), Buffer.alloc(4)])
  const silence = Array.from({ length: 150 }, () => Buffer.from([0xf8, 0xff, 0xfe]))
  return Buffer.concat([oggPage([head], 0, 2, 0), oggPage([tags], 1, 0, 0), oggPage(silence, 2, 4, 150 * 960)])
}

const oggPage = (packets: Buffer[], sequence: number, flags: number, granule: number): Buffer => {
  const header = Buffer.alloc(27)
  header.write('OggS')
  header.writeUInt8(flags, 5)
  header.writeBigInt64LE(BigInt(granule), 6)
  header.writeUInt32LE(1, 14)
  header.writeUInt32LE(sequence, 18)
  header.writeUInt8(packets.length, 26)
  const page = Buffer.concat([header, Buffer.from(packets.map((packet) => packet.length)), ...packets])
  page.writeUInt32LE(oggCrc(page), 22)
  return page
}

const oggCrc = (page: Buffer): number => {
  let crc = 0
  for (const byte of page) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

const mp4 = Buffer.from(
  '000000186674797069736f6d0000020069736f6d6d70343200000008667265650000000c6d64617400000000',
  'hex',
)

const jpeg = fromBase64([
  '/9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMR',
  'EyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCADwAUADASIAAhEBAxEB/8QA',
  'GgABAQADAQEAAAAAAAAAAAAAAAEDBAUGAv/EADEQAQACAQIEBQIFAwUAAAAAAAABAgMEEQUxQXESITJRYRMiI0JSgZGhsdEGFFPB4f/EABoB',
  'AQADAQEBAAAAAAAAAAAAAAABAgQFAwb/xAAlEQEAAgICAgICAgMAAAAAAAAAAQIDEQQhEjEiQVFhQpFxobH/2gAMAwEAAhEDEQA/APYiDnug',
  'ogCiAKIAogCiAKIAogCiAKIAogCiAKIAogCiAKIAogCiAKIAogCACQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAQkAAAAAAAAAAAAA',
  'AAAAAAAAAAACsTaYisbzLo6fS1xxFr7Wv/SFq1mVLWirUx6fLk84rtHvPkzRobdckR2huj1jHDxnLZpTobdMkT3hhyafLj85rvHvHm6YTjgj',
  'LZxh0dRpa5Im1Nq3/pLn2iazMWjaYeVqzV7VtFkAVXAAAAQQBRAFEAUQBRAFEAUQBRAFEAUQBRAFEAUR9Y6+PJWvvOwN/Q4fDT6to855fENo',
  'iIiIiOUDTEajTHadzsASgAAauuw+Kn1ax5xz+YbRMRMTE8pRMbjSazqduKLkr4Mlq+07PlmbFEAUQAEEJUQBRAFEAUQBRAFEAUQBRAFEAUQB',
  'RAFZtH56qn7/ANmBl01vDqKT87Jr7Vt6l1wGpjAAAAAAcrWeWqv+39mFk1NvFqLz87MTLPtsr6hRBCyiAAgCiAKIAogCiAKIAogCiAKIAogC',
  'iAKIAogDs6fLGXDW/Xr3ZHJ0monBfz86Tzh1a2i1YtWd4nlLRS3lDJkp4yoC6gAAx6jLGLDa/Xp3fdrRWs2tO0RzlytXqJz5PLypHKFL28YX',
  'x08pYRBna1EAUQBAEJAAAAAAAAAYsOow6jxfRy1v4Z2naeSe0bjemUBCQAAAAAAAAAAABmwanJgn7fOvWssImJmPSJiJ6l1sWtw3jznwT7Sz',
  'xatvTaJ7S4Q9Iyz9vKcEfTu2tWvqtEd5YMutw0jynxz7Q5ITln6IwR9s2fU5M8/dO1elYYQeczM+3rERHUACEgAAAIICVEAUQBRAFfGbNjwY',
  '5yZbxSlecy19dr8Ghx+LLO9p9NI5y8rrtfn12TxZZ2rHppHKHtiwzfv6ZORyq4uo7lt8U4zk1e+LBvjw9fe3doaXU5dJmjLht4bR/Ex7Swjf',
  'Wlax4xDj3y3vbzme3suG8Sxa/H5fbliPupP94+G68FjyXxZIyY7TW1Z3iYeo4VxemriMWfamf+l+3yx5sHj3X06nG5kX+N/bqiDM3qIAogCi',
  'AKIAogCiAKIAogCiAKIAogCiAAggUQBREtatKza0xFY85megPpyuJ8Yx6TfFg2yZuvtXu0eJ8bnJvh0czWvKcnWe3s4jZi4/3dzeTztfHH/b',
  '7zZcmfJOTLebXtzmXwDY5UzvuQBILEzE7xO0wgD0PCeNRbw4NZba3KuSevf/AC7rwLscK4xbT+HBqpm2LlFutf8Axjzcf+VHT4vN18Mn9vTD',
  '5rat6xakxasxvEx1VidRRAFEAUQBRJnaN55ONxHjlMW+PR7Xv1v+WO3uvSlrzqHnky0xRu0ulrNbg0ePx5r7T0rHOXCn/UOf/c+KMdfo8vB1',
  '/n3cnLlyZsk5Mt5vaecy+G6nHrWO+3Jy87Jefj1D2ei4hp9bX8K+1+tLeUw23gq2tS0Wpaa2jziYnaYdvQcetTbHrI8Vf+SOcd46vHJxpjur',
  'Tg58W6ydPRDHhzY8+OMmK8XrPWJfbK6MTvuFEECiAKIAogAICVEaPEeJ4dFXw+vLPKkTy7prWbTqFL3rSPK09NnVarFpMU5M1/DHSOs9nl+I',
  '8Uza63h9GGJ8qR17tbVanNq8s5M1/FPSOkdmF0MWCKdz7cbk8u2X416gAaGMAAAAAAAB0OGcUyaK3gtvfDM+dfb5h6nBmx6jFGXDeLUnrDwz',
  'a0OuzaHL4sc71n1UnlLNmwRfuvtt43MnH8bev+PZjW0esw6zD9TDbvWedZbDBMTE6l2a2i0bhRCZiI3mfJCytfV63Bo8fjzX2npWOcubxDjl',
  'MW+PSbXv1v0jt7vP5cuTNknJlvN7TzmWnFx5t3bqGDkc6tPjTuW7xDiufWzNIn6eL9ETz7ueDdWsVjUORe9rzu0gCyoADNptVn0mTx4Mk1nr',
  'HSe8PRaDjeHUbU1G2LJ7/ln/AA8uPLJirf298PJvi9evw96PI6Hiuo0e1d/qYv0Wnl2no9HouIafW1/CvtfrS3lMMOTDan+HXwcqmXr1LbEH',
  'i1KIAogCG74y5ceHHOTLeK1jnMvN8T4vk1W+LBvTD197d3pjxWyT08M/Iphjv3+G7xPjUY98OjmLX5Tk6R2efta17Ta0zNp85meqDo48daRq',
  'HEzZ75Z3YAejxAAAJmIjeQBivqKV5fdPwwX1F7cvtj4QmKy27WrWN7TEMN9TEeiN/mWrMzM7zO4LRV93y3vzt5e0JXJevK0vkE6Z66m0eqIl',
  'lrqMc8947tMEeMOtpdVk0+WMunvtMfxPxL1PDuI4tdj8vtyxH3U/7j4eAiduTNh1WfBkrfHkmLVneJeOXFGSP20cfPbDP5h7/V6zBo8fizX2',
  '9qxzl5riHFc+smaR+Hi/RE8+7l31982Sb55m1p5zu+q5sduVtu6MWCtO57lbkcu+TqOofYDQxAAAAAAAAC1talotS01tHKYnzhBA7eg47am2',
  'PWR4q/rjnHeOru4s2PNjjJivF6z1h4dm02qzaXJ48F5rPWOk94ZsnGi3dem/BzrU6v3H+3tRytDxrDqNqZ9sWT3/ACz/AIdVitS1J1LrY8tM',
  'kbrIAou8drddm1uTxZZ2rHppHKGqDsxERGofMWtNp3b2AJQCWtWsb2mIYb6mI9Eb/MoIjbO+L5aU528/aGpfLe/O3l7Q+BaKti+pmfRG3zLB',
  'a9rT90zKAtEaAEJAAAAAAAAAAWtrV9MzDLXUXjntLCJRpt11NJ9UTDJW9Lem0S0AR4w6I0a5b15WllrqrfmrE9hHjLZGKuoxzznbuyxMTG8T',
  'E9hXQAkAAAAG/oeK6jSbV3+pi/RaeXaejQFbVi0alal7UndZ09ho9fp9ZX8K+1utJ5w2nhq2tS0WrM1tHKYnk7Oh45am1NZE2r+uOcd2LJxZ',
  'jujq4OfW3WTr9uKTMRG8ta+pmfRG3zLBa9rT90zLc5UVbd9RSvL7p+GC+ovbl9sfDEC0VgmZmd5ncBCQAAAAAAAAAAAAAAAAAAAAAAiZjlOw',
  'Ay1z5K9d+7JXVR+av8NYSjUN6uXHblaP3fbnPqt7V9Npg2r4t8aldTeOcRLLXU0nnEwI8ZZhK3rb02iVSgABzgFXqAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAPuuXJXlaf3fADYrqp/NX+GWufHbrt3aQlXxgAQsAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/9k=',
])

const webp = fromBase64([
  'UklGRiQHAABXRUJQVlA4WAoAAAAQAAAAfwAAfwAAQUxQSCQDAAABoDQAkCE7q8POvpzM3RcbJ9vOs06xr7ZtGw+n6C/su8bGOs7paSdYBLOZ',
  'uvX0dFcF33eJiAmA/2d6+5duqK69++KN+eOH+ebF3dqqDaX9vVzkzquOWyjVilXP9VNnFF2IosvR84UGXQMP1qOS5qWxJLVYH0aFw+tbUNN2',
  'p4mKfz3lo6TDwTRqmDrViQpjRQo1zexsRsKkMGr8aqZ+uTdR8xt+zQqaUPvP5Tp5dv5CAu1TXm0630YiH/TQZHwCyUyM06Iog4R+r9BggYWk',
  'Zpcrt8JGYu2dim1BgjcrNd+myF6qUKGFJGfLlBmVRqIz4xTpaiLZTV2UMG4j4fe8KhxD0g8pkGfTZhe5lptA4ht9bt1E8q+6NA0ZnOKKN8pB',
  'PMeN7cjiJhdyMzykffJOIJNHpLVJcpFqK2sfsrlLUotPfHxuKWc9MrpWTpCTkJThyOpgGWd4OSHBaOSl3nBWhMzmO7vAzRlnMW5CjvzIrt/J',
  'PH5mO6nm54qTGD8RB16LH8sQG4AM9xUr5ahIbCNH68RqOKoUC3BUK3aXoydiQY4+iL3nyBRLcJQW+8FR9vciwVFa7D1HpliQo/didzl6LBbg',
  'KCBWw1Gl2EaO1omVcFQo1p+jPmJei5+fhhjE+ImAw2p+rjiZx89sJ352bJ8TiHITAsfnuTnjrJCbPGeeOl7qDWdwmpfjIHEYL4NkwEtOQiB1',
  'PSdr5TT/xMfnlnJgHx+7QHKbJBeptrLgOBeHQbo/w0OqozzYxsNGcNEb4SCW4wZM5WAyuHuTvqvgsr+JukafW5Bn02YXgftHaTsICnpuUXbP',
  'UAG6Juhq6gxqjkxRlRkLqhZaNGXLQN15NkX2ElB5M0WbQO0VNjX2TlB9vkVLdhmoX5ih5Hs56Di2iY6mMaBn51tU3O8Ounp2/qLAPmWAxlPr',
  '9GvMA71913S76gPtJwR1ik8HCo0VSV3SO3OAyPY7P+uQPOUHQtvsTKj29WAbILb52qBKwbXNgeKBB+vUSFwaC2R78s+G3QqdyfMA8b45lZGf',
  'cn5GKmd3BCaNvsXrKwNPP5pJxKT58Wmgcl1xXwP+nwlWUDgg2gMAALAYAJ0BKoAAgAA+0V6pTaglJCImlOyJABoJaghwD+ADGZing3n/+H5R',
  'zqmJ9AHWZ+5rbW+YD9h/2A97j8APeP5zPUV+gB5dHsvZEfgAZdi+QYA9tz5Q36CZ6fWmGf+Llu7sjC6qmbLl/+5oPo04MB/1i84iE7guZyjX',
  'DJOm4bXas3U9R8FLpdnNTO66bJuTeq1loQqfbJcYzgLs+g6TuFFltb3b2nBBkyHb1kbjW17k2immc4EKTp47KPARpyPGd0vt1CgeejAm8MN2',
  'Q7zgAPuOmb9bkH8jSMNVZrWXPcH7RT3x4anoSVdWvtB/ACKc2DONueG6Xir6papR/UeWCt5tE4Ed2X//49LuHGUlpziV7n2jTDN4906CZg7w',
  '31eftAe2cobb1ufPFD0UPzmPrLQIPrcus8C9r0LyiNPpiQEE11wj953dkPu3/CR0M3awhBnk1iW35fNz/Hca1njydMPvTHA4pAnR4U3H7Hte',
  '63+mwIEV1vYUUOeauKxWug9j6YGLDwwEHprp8szMIkY6lBH83gw9DpoMzQE8xWOGP7ib3lvyhysQCkwZ0JPrP6e/35PKnqJpFmkLZC1F6in+',
  'ybncIGiTKmsv7uUc3POke+Mn886pm5tw8nZ0UztDyxXWBkafMjN1fuVPp+CP4Kp8Mazp32ec23WE17j8yVvKWY4qHrEM8jABuHkGz6d74E9L',
  'FJotEeNFVopKNIdZv2S16IlmtHfdH9ppfQljeoDU5AM2ZBlhkZ1tNgELfuiEXZ0CL9hHS1sFlUd4AnM+Hc6Lfo3CywLegxak/AjSqQI+YM2y',
  'tSFhBRKVHaa8RhcjWjdwbNlEvt6LDZRor3lQzh7uG6PYQRIxD/NRc4r5o//49GmuVVaahCWfHOppY9OPLthrR2PDgPCKNYp02n1b6WYeEMZm',
  'XaeFCuE7iWejMbIzOXYi7gOQOngGJlY4jRhs9s3M8O2Bj/ylZDQZ+MjYo0USGBZXs0P5hGucwoOh9JDQvmoXliDazMIi7+rYiH5TxHRMy0XV',
  'N2VBF3WyhvMso51mXlULlyq8uaTOxs+QBqOk4yeOcZht5tvKaILXn//HGLcwLCuJvZh80miqUxccEKFZTwJfDJd4GQQfOrDqTvAyDmu6ZnPC',
  '5YUm6tnte1lCAYEYsJz1BVts/ALUpBiFP13cNijIZ7cI1ihtauM862/RKqu29ogGGn5r5ZWsIWJsLESjDCGe4ue8TX420WrzUeJc2NpeMImM',
  'PssLlF+76TnD6Cu2UUUwPC7I1v//xyNHPh/xg1dZ8HaxGa7aB102D8JlrD3ioYmGpIYJEAAA',
])

const samples: Record<MediaKind, Media> = {
  image: { bytes: jpeg, mimeType: 'image/jpeg', filename: 'foto.jpg' },
  video: { bytes: mp4, mimeType: 'video/mp4', filename: 'video.mp4' },
  audio: { bytes: oggOpus(), mimeType: 'audio/ogg', filename: 'musica.ogg' },
  voice: { bytes: oggOpus(), mimeType: 'audio/ogg; codecs=opus', filename: 'voz.ogg' },
  document: { bytes: pdf('Comprovante de pagamento'), mimeType: 'application/pdf', filename: 'comprovante.pdf' },
  sticker: { bytes: webp, mimeType: 'image/webp', filename: 'figurinha.webp' },
}
