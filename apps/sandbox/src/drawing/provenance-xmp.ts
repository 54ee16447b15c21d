import { type DrawOrder } from './draw-order';

const HOW_MADE: Readonly<Record<DrawOrder['operation'], string>> = {
  'image.generation':
    'Drawn by the Kinora sandbox renderer: procedural artwork made by code. No AI model was involved.',
  'image.edit': 'Edited by the Kinora sandbox renderer: classic image processing by code. No AI model was involved.',
  'video.generation':
    'Animated by the Kinora sandbox renderer: a camera move over one picture, made by code. No AI model was involved.',
};

/** IPTC's term for pictures that an algorithm made without having been trained on others. */
const DIGITAL_SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia';

/** What a file says of itself: that code made it, and how. */
export function provenanceXmp(operation: DrawOrder['operation']): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    xmp:CreatorTool="Kinora sandbox renderer"
    Iptc4xmpExt:DigitalSourceType="${DIGITAL_SOURCE_TYPE}">
   <dc:description><rdf:Alt><rdf:li xml:lang="x-default">${HOW_MADE[operation]}</rdf:li></rdf:Alt></dc:description>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
}
