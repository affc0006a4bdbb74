// Generated from the schemas by `pnpm schemas`. Do not edit.
import { formats } from "../formats.ts";
// A file full of mistakes must not fill the memory: errors beyond these are not kept.
const MAX_ERRORS = 1000;
const joined = (all, more) => (all.length < MAX_ERRORS ? all.concat(more) : all);

export const receipt_record = validate52;
const schema19 = {"type":"object","required":["stream_event_id","stream_id","seq_no","source_ref","event_type","occurred_at","received_at","payload_hash","previous_event_hash","event_hash","stream_head_hash","receipt"],"properties":{"stream_event_id":{"type":"string","pattern":"^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"sev_ and a lowercase ULID"},"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"source_ref":{"type":"string","format":"source-ref","description":"1 to 512 Unicode characters, no control characters"},"event_type":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$","description":"1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first"},"occurred_at":{"type":"string","format":"source-time","description":"RFC 3339 with T, Z or an offset, at most 9 fraction digits, a real date"},"received_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"payload_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"previous_event_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"event_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"stream_head_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"receipt":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false},"payload":{"type":"object"},"payload_salt":{"type":"string","pattern":"^[0-9a-f]{32}$","description":"32 lowercase hex characters"}},"$id":"receipt-record","dependentRequired":{"payload":["payload_salt"],"payload_salt":["payload"]},"additionalProperties":false};
const func1 = Object.prototype.hasOwnProperty;
const pattern3 = new RegExp("^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");
const pattern4 = new RegExp("^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");
const pattern5 = new RegExp("^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$", "u");
const pattern6 = new RegExp("^[0-9a-f]{64}$", "u");
const pattern10 = new RegExp("^ed25519-[0-9a-f]{16}$", "u");
const pattern11 = new RegExp("^[0-9a-f]{128}$", "u");
const pattern12 = new RegExp("^[0-9a-f]{32}$", "u");
const formats0 = formats["source-ref"];
const formats2 = formats["source-time"];
const formats4 = formats["service-time"];

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="receipt-record" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.stream_event_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_event_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.stream_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.seq_no === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seq_no"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.source_ref === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source_ref"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.event_type === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "event_type"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.occurred_at === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "occurred_at"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.received_at === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "received_at"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.payload_hash === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "payload_hash"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data.previous_event_hash === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "previous_event_hash"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data.event_hash === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "event_hash"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data.stream_head_hash === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_head_hash"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data.receipt === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "receipt"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema19.properties, key0))){
const err12 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
if(data.stream_event_id !== undefined){
let data0 = data.stream_event_id;
if(typeof data0 === "string"){
if(!pattern3.test(data0)){
const err13 = {instancePath:instancePath+"/stream_event_id",schemaPath:"#/properties/stream_event_id/pattern",keyword:"pattern",params:{pattern: "^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/stream_event_id",schemaPath:"#/properties/stream_event_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
if(data.stream_id !== undefined){
let data1 = data.stream_id;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err15 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
if(data.seq_no !== undefined){
let data2 = data.seq_no;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err17 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
const err18 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err19 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
}
if(data.source_ref !== undefined){
let data3 = data.source_ref;
if(typeof data3 === "string"){
if(!(formats0(data3))){
const err20 = {instancePath:instancePath+"/source_ref",schemaPath:"#/properties/source_ref/format",keyword:"format",params:{format: "source-ref"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/source_ref",schemaPath:"#/properties/source_ref/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
if(data.event_type !== undefined){
let data4 = data.event_type;
if(typeof data4 === "string"){
if(!pattern5.test(data4)){
const err22 = {instancePath:instancePath+"/event_type",schemaPath:"#/properties/event_type/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/event_type",schemaPath:"#/properties/event_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
if(data.occurred_at !== undefined){
let data5 = data.occurred_at;
if(typeof data5 === "string"){
if(!(formats2(data5))){
const err24 = {instancePath:instancePath+"/occurred_at",schemaPath:"#/properties/occurred_at/format",keyword:"format",params:{format: "source-time"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/occurred_at",schemaPath:"#/properties/occurred_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
if(data.received_at !== undefined){
let data6 = data.received_at;
if(typeof data6 === "string"){
if(!(formats4(data6))){
const err26 = {instancePath:instancePath+"/received_at",schemaPath:"#/properties/received_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/received_at",schemaPath:"#/properties/received_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
if(data.payload_hash !== undefined){
let data7 = data.payload_hash;
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err28 = {instancePath:instancePath+"/payload_hash",schemaPath:"#/properties/payload_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/payload_hash",schemaPath:"#/properties/payload_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
if(data.previous_event_hash !== undefined){
let data8 = data.previous_event_hash;
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err30 = {instancePath:instancePath+"/previous_event_hash",schemaPath:"#/properties/previous_event_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/previous_event_hash",schemaPath:"#/properties/previous_event_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
}
if(data.event_hash !== undefined){
let data9 = data.event_hash;
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err32 = {instancePath:instancePath+"/event_hash",schemaPath:"#/properties/event_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/event_hash",schemaPath:"#/properties/event_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
if(data.stream_head_hash !== undefined){
let data10 = data.stream_head_hash;
if(typeof data10 === "string"){
if(!pattern6.test(data10)){
const err34 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
}
if(data.receipt !== undefined){
let data11 = data.receipt;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.protocol === undefined){
const err36 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
if(data11.alg === undefined){
const err37 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(data11.kid === undefined){
const err38 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
if(data11.signature === undefined){
const err39 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
for(const key1 in data11){
if(!((((key1 === "protocol") || (key1 === "alg")) || (key1 === "kid")) || (key1 === "signature"))){
const err40 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
if(data11.protocol !== undefined){
let data12 = data11.protocol;
if(typeof data12 !== "string"){
const err41 = {instancePath:instancePath+"/receipt/protocol",schemaPath:"#/properties/receipt/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data12){
const err42 = {instancePath:instancePath+"/receipt/protocol",schemaPath:"#/properties/receipt/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
}
if(data11.alg !== undefined){
let data13 = data11.alg;
if(typeof data13 !== "string"){
const err43 = {instancePath:instancePath+"/receipt/alg",schemaPath:"#/properties/receipt/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
if("Ed25519" !== data13){
const err44 = {instancePath:instancePath+"/receipt/alg",schemaPath:"#/properties/receipt/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
if(data11.kid !== undefined){
let data14 = data11.kid;
if(typeof data14 === "string"){
if(!pattern10.test(data14)){
const err45 = {instancePath:instancePath+"/receipt/kid",schemaPath:"#/properties/receipt/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/receipt/kid",schemaPath:"#/properties/receipt/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
if(data11.signature !== undefined){
let data15 = data11.signature;
if(typeof data15 === "string"){
if(!pattern11.test(data15)){
const err47 = {instancePath:instancePath+"/receipt/signature",schemaPath:"#/properties/receipt/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/receipt/signature",schemaPath:"#/properties/receipt/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
}
if(data.payload !== undefined){
let data16 = data.payload;
if(!(data16 && typeof data16 == "object" && !Array.isArray(data16))){
const err50 = {instancePath:instancePath+"/payload",schemaPath:"#/properties/payload/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
if(data.payload_salt !== undefined){
let data17 = data.payload_salt;
if(typeof data17 === "string"){
if(!pattern12.test(data17)){
const err51 = {instancePath:instancePath+"/payload_salt",schemaPath:"#/properties/payload_salt/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{32}$"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/payload_salt",schemaPath:"#/properties/payload_salt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
}
if(data.payload !== undefined){
if(data.payload_salt === undefined){
const err53 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "payload",
    missingProperty: "payload_salt",
    depsCount: 1,
    deps: "payload_salt"}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
}
if(data.payload_salt !== undefined){
if(data.payload === undefined){
const err54 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "payload_salt",
    missingProperty: "payload",
    depsCount: 1,
    deps: "payload"}};
if(vErrors === null){
vErrors = [err54];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err54); }
errors++;
}
}
}
else {
const err55 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err55];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err55); }
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const redacted_record = validate53;
const schema20 = {"type":"object","required":["stream_event_id","stream_id","seq_no","source_ref","event_type","occurred_at","received_at","payload_hash","previous_event_hash","event_hash","stream_head_hash","receipt"],"properties":{"stream_event_id":{"type":"string","pattern":"^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"sev_ and a lowercase ULID"},"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"source_ref":{"type":"string","format":"source-ref","description":"1 to 512 Unicode characters, no control characters"},"event_type":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$","description":"1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first"},"occurred_at":{"type":"string","format":"source-time","description":"RFC 3339 with T, Z or an offset, at most 9 fraction digits, a real date"},"received_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"payload_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"previous_event_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"event_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"stream_head_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"receipt":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false}},"$id":"redacted-record","additionalProperties":false};

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="redacted-record" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.stream_event_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_event_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.stream_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.seq_no === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seq_no"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.source_ref === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source_ref"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.event_type === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "event_type"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.occurred_at === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "occurred_at"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.received_at === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "received_at"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.payload_hash === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "payload_hash"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data.previous_event_hash === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "previous_event_hash"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data.event_hash === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "event_hash"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data.stream_head_hash === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_head_hash"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data.receipt === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "receipt"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema20.properties, key0))){
const err12 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
if(data.stream_event_id !== undefined){
let data0 = data.stream_event_id;
if(typeof data0 === "string"){
if(!pattern3.test(data0)){
const err13 = {instancePath:instancePath+"/stream_event_id",schemaPath:"#/properties/stream_event_id/pattern",keyword:"pattern",params:{pattern: "^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/stream_event_id",schemaPath:"#/properties/stream_event_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
if(data.stream_id !== undefined){
let data1 = data.stream_id;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err15 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
if(data.seq_no !== undefined){
let data2 = data.seq_no;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err17 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
const err18 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err19 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
}
if(data.source_ref !== undefined){
let data3 = data.source_ref;
if(typeof data3 === "string"){
if(!(formats0(data3))){
const err20 = {instancePath:instancePath+"/source_ref",schemaPath:"#/properties/source_ref/format",keyword:"format",params:{format: "source-ref"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/source_ref",schemaPath:"#/properties/source_ref/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
if(data.event_type !== undefined){
let data4 = data.event_type;
if(typeof data4 === "string"){
if(!pattern5.test(data4)){
const err22 = {instancePath:instancePath+"/event_type",schemaPath:"#/properties/event_type/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/event_type",schemaPath:"#/properties/event_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
if(data.occurred_at !== undefined){
let data5 = data.occurred_at;
if(typeof data5 === "string"){
if(!(formats2(data5))){
const err24 = {instancePath:instancePath+"/occurred_at",schemaPath:"#/properties/occurred_at/format",keyword:"format",params:{format: "source-time"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/occurred_at",schemaPath:"#/properties/occurred_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
if(data.received_at !== undefined){
let data6 = data.received_at;
if(typeof data6 === "string"){
if(!(formats4(data6))){
const err26 = {instancePath:instancePath+"/received_at",schemaPath:"#/properties/received_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/received_at",schemaPath:"#/properties/received_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
if(data.payload_hash !== undefined){
let data7 = data.payload_hash;
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err28 = {instancePath:instancePath+"/payload_hash",schemaPath:"#/properties/payload_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/payload_hash",schemaPath:"#/properties/payload_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
if(data.previous_event_hash !== undefined){
let data8 = data.previous_event_hash;
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err30 = {instancePath:instancePath+"/previous_event_hash",schemaPath:"#/properties/previous_event_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/previous_event_hash",schemaPath:"#/properties/previous_event_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
}
if(data.event_hash !== undefined){
let data9 = data.event_hash;
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err32 = {instancePath:instancePath+"/event_hash",schemaPath:"#/properties/event_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/event_hash",schemaPath:"#/properties/event_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
if(data.stream_head_hash !== undefined){
let data10 = data.stream_head_hash;
if(typeof data10 === "string"){
if(!pattern6.test(data10)){
const err34 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
}
if(data.receipt !== undefined){
let data11 = data.receipt;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.protocol === undefined){
const err36 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
if(data11.alg === undefined){
const err37 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(data11.kid === undefined){
const err38 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
if(data11.signature === undefined){
const err39 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
for(const key1 in data11){
if(!((((key1 === "protocol") || (key1 === "alg")) || (key1 === "kid")) || (key1 === "signature"))){
const err40 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
if(data11.protocol !== undefined){
let data12 = data11.protocol;
if(typeof data12 !== "string"){
const err41 = {instancePath:instancePath+"/receipt/protocol",schemaPath:"#/properties/receipt/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data12){
const err42 = {instancePath:instancePath+"/receipt/protocol",schemaPath:"#/properties/receipt/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
}
if(data11.alg !== undefined){
let data13 = data11.alg;
if(typeof data13 !== "string"){
const err43 = {instancePath:instancePath+"/receipt/alg",schemaPath:"#/properties/receipt/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
if("Ed25519" !== data13){
const err44 = {instancePath:instancePath+"/receipt/alg",schemaPath:"#/properties/receipt/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
if(data11.kid !== undefined){
let data14 = data11.kid;
if(typeof data14 === "string"){
if(!pattern10.test(data14)){
const err45 = {instancePath:instancePath+"/receipt/kid",schemaPath:"#/properties/receipt/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/receipt/kid",schemaPath:"#/properties/receipt/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
if(data11.signature !== undefined){
let data15 = data11.signature;
if(typeof data15 === "string"){
if(!pattern11.test(data15)){
const err47 = {instancePath:instancePath+"/receipt/signature",schemaPath:"#/properties/receipt/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/receipt/signature",schemaPath:"#/properties/receipt/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/receipt",schemaPath:"#/properties/receipt/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
}
}
else {
const err50 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const stream = validate54;
const schema21 = {"type":"object","required":["stream_id","records"],"properties":{"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"records":{"type":"array","items":{"$ref":"receipt-record"},"minItems":1},"key_hints":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"key_endorsements":{"type":"array","items":{"$ref":"key-endorsement"}}},"$id":"stream","additionalProperties":false};
const schema22 = {"type":"object","required":["endorsed_kid","public_key_hex","valid_from","reason","seal"],"properties":{"endorsed_kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"valid_from":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"reason":{"enum":["rotation"],"description":"one of rotation"},"seal":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false}},"$id":"key-endorsement","additionalProperties":false};

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="key-endorsement" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.endorsed_kid === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "endorsed_kid"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.public_key_hex === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.valid_from === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "valid_from"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.reason === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "reason"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.seal === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seal"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
for(const key0 in data){
if(!(((((key0 === "endorsed_kid") || (key0 === "public_key_hex")) || (key0 === "valid_from")) || (key0 === "reason")) || (key0 === "seal"))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
}
if(data.endorsed_kid !== undefined){
let data0 = data.endorsed_kid;
if(typeof data0 === "string"){
if(!pattern10.test(data0)){
const err6 = {instancePath:instancePath+"/endorsed_kid",schemaPath:"#/properties/endorsed_kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/endorsed_kid",schemaPath:"#/properties/endorsed_kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
if(data.public_key_hex !== undefined){
let data1 = data.public_key_hex;
if(typeof data1 === "string"){
if(!pattern6.test(data1)){
const err8 = {instancePath:instancePath+"/public_key_hex",schemaPath:"#/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/public_key_hex",schemaPath:"#/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
if(data.valid_from !== undefined){
let data2 = data.valid_from;
if(typeof data2 === "string"){
if(!(formats4(data2))){
const err10 = {instancePath:instancePath+"/valid_from",schemaPath:"#/properties/valid_from/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/valid_from",schemaPath:"#/properties/valid_from/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
if(data.reason !== undefined){
if(!(data.reason === "rotation")){
const err12 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/enum",keyword:"enum",params:{allowedValues: schema22.properties.reason.enum}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
if(data.seal !== undefined){
let data4 = data.seal;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.protocol === undefined){
const err13 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if(data4.alg === undefined){
const err14 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
if(data4.kid === undefined){
const err15 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
if(data4.signature === undefined){
const err16 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
for(const key1 in data4){
if(!((((key1 === "protocol") || (key1 === "alg")) || (key1 === "kid")) || (key1 === "signature"))){
const err17 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
if(data4.protocol !== undefined){
let data5 = data4.protocol;
if(typeof data5 !== "string"){
const err18 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data5){
const err19 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
if(data4.alg !== undefined){
let data6 = data4.alg;
if(typeof data6 !== "string"){
const err20 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
if("Ed25519" !== data6){
const err21 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
if(data4.kid !== undefined){
let data7 = data4.kid;
if(typeof data7 === "string"){
if(!pattern10.test(data7)){
const err22 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
if(data4.signature !== undefined){
let data8 = data4.signature;
if(typeof data8 === "string"){
if(!pattern11.test(data8)){
const err24 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
}
else {
const err27 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="stream" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.stream_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.records === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "records"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
for(const key0 in data){
if(!((((key0 === "stream_id") || (key0 === "records")) || (key0 === "key_hints")) || (key0 === "key_endorsements"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
}
if(data.stream_id !== undefined){
let data0 = data.stream_id;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err3 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
}
if(data.records !== undefined){
let data1 = data.records;
if(Array.isArray(data1)){
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/records",schemaPath:"#/properties/records/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(!(validate52(data1[i0], {instancePath:instancePath+"/records/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate52.errors : joined(vErrors, validate52.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/records",schemaPath:"#/properties/records/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
if(data.key_hints !== undefined){
let data3 = data.key_hints;
if(Array.isArray(data3)){
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
let data4 = data3[i1];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kid === undefined){
const err7 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data4.public_key_hex === undefined){
const err8 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
for(const key1 in data4){
if(!((key1 === "kid") || (key1 === "public_key_hex"))){
const err9 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
if(data4.kid !== undefined){
let data5 = data4.kid;
if(typeof data5 === "string"){
if(!pattern10.test(data5)){
const err10 = {instancePath:instancePath+"/key_hints/" + i1+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/key_hints/" + i1+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
if(data4.public_key_hex !== undefined){
let data6 = data4.public_key_hex;
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
const err12 = {instancePath:instancePath+"/key_hints/" + i1+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/key_hints/" + i1+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/key_hints",schemaPath:"#/properties/key_hints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
if(data.key_endorsements !== undefined){
let data7 = data.key_endorsements;
if(Array.isArray(data7)){
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
if(!(validate56(data7[i2], {instancePath:instancePath+"/key_endorsements/" + i2,parentData:data7,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : joined(vErrors, validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err16 = {instancePath:instancePath+"/key_endorsements",schemaPath:"#/properties/key_endorsements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const window = validate58;
const schema23 = {"type":"object","required":["window_id","stream_id","window_no","from_seq_no","to_seq_no","window_root","stream_head_hash","policy_digest","witness_policy_digest","closed_at","seal"],"properties":{"window_id":{"type":"string","pattern":"^win_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"win_ and a lowercase ULID"},"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"window_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"from_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"to_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"window_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"stream_head_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"policy_digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"witness_policy_digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"closed_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"seal":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false},"leaves":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"inclusions":{"type":"array","items":{"$ref":"inclusion"}}},"$id":"window","additionalProperties":false};
const pattern29 = new RegExp("^win_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");
const schema24 = {"type":"object","required":["window_id","seq_no","event_hash","leaf_hash","leaf_index","tree_size","inclusion_path","window_root"],"properties":{"window_id":{"type":"string","pattern":"^win_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"win_ and a lowercase ULID"},"seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"event_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"leaf_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"leaf_index":{"type":"integer","minimum":0,"maximum":9007199254740991},"tree_size":{"type":"integer","minimum":1,"maximum":9007199254740991},"inclusion_path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"window_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"$id":"inclusion","additionalProperties":false};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="inclusion" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.window_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.seq_no === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seq_no"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.event_hash === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "event_hash"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.leaf_hash === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "leaf_hash"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.leaf_index === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "leaf_index"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.tree_size === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tree_size"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.inclusion_path === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inclusion_path"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.window_root === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_root"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "window_id") || (key0 === "seq_no")) || (key0 === "event_hash")) || (key0 === "leaf_hash")) || (key0 === "leaf_index")) || (key0 === "tree_size")) || (key0 === "inclusion_path")) || (key0 === "window_root"))){
const err8 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
if(data.window_id !== undefined){
let data0 = data.window_id;
if(typeof data0 === "string"){
if(!pattern29.test(data0)){
const err9 = {instancePath:instancePath+"/window_id",schemaPath:"#/properties/window_id/pattern",keyword:"pattern",params:{pattern: "^win_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/window_id",schemaPath:"#/properties/window_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
}
if(data.seq_no !== undefined){
let data1 = data.seq_no;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err11 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err12 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err13 = {instancePath:instancePath+"/seq_no",schemaPath:"#/properties/seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
}
if(data.event_hash !== undefined){
let data2 = data.event_hash;
if(typeof data2 === "string"){
if(!pattern6.test(data2)){
const err14 = {instancePath:instancePath+"/event_hash",schemaPath:"#/properties/event_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/event_hash",schemaPath:"#/properties/event_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
if(data.leaf_hash !== undefined){
let data3 = data.leaf_hash;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err16 = {instancePath:instancePath+"/leaf_hash",schemaPath:"#/properties/leaf_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/leaf_hash",schemaPath:"#/properties/leaf_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
if(data.leaf_index !== undefined){
let data4 = data.leaf_index;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err18 = {instancePath:instancePath+"/leaf_index",schemaPath:"#/properties/leaf_index/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
const err19 = {instancePath:instancePath+"/leaf_index",schemaPath:"#/properties/leaf_index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
if(data4 < 0 || isNaN(data4)){
const err20 = {instancePath:instancePath+"/leaf_index",schemaPath:"#/properties/leaf_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
}
if(data.tree_size !== undefined){
let data5 = data.tree_size;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err21 = {instancePath:instancePath+"/tree_size",schemaPath:"#/properties/tree_size/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 9007199254740991 || isNaN(data5)){
const err22 = {instancePath:instancePath+"/tree_size",schemaPath:"#/properties/tree_size/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
if(data5 < 1 || isNaN(data5)){
const err23 = {instancePath:instancePath+"/tree_size",schemaPath:"#/properties/tree_size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
}
if(data.inclusion_path !== undefined){
let data6 = data.inclusion_path;
if(Array.isArray(data6)){
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err24 = {instancePath:instancePath+"/inclusion_path/" + i0,schemaPath:"#/properties/inclusion_path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/inclusion_path/" + i0,schemaPath:"#/properties/inclusion_path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/inclusion_path",schemaPath:"#/properties/inclusion_path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
if(data.window_root !== undefined){
let data8 = data.window_root;
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err27 = {instancePath:instancePath+"/window_root",schemaPath:"#/properties/window_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/window_root",schemaPath:"#/properties/window_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
}
else {
const err29 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="window" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.window_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.stream_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.window_no === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_no"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.from_seq_no === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "from_seq_no"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.to_seq_no === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "to_seq_no"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.window_root === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_root"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.stream_head_hash === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_head_hash"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.policy_digest === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_digest"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data.witness_policy_digest === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "witness_policy_digest"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data.closed_at === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "closed_at"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data.seal === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seal"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema23.properties, key0))){
const err11 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
if(data.window_id !== undefined){
let data0 = data.window_id;
if(typeof data0 === "string"){
if(!pattern29.test(data0)){
const err12 = {instancePath:instancePath+"/window_id",schemaPath:"#/properties/window_id/pattern",keyword:"pattern",params:{pattern: "^win_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/window_id",schemaPath:"#/properties/window_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
if(data.stream_id !== undefined){
let data1 = data.stream_id;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err14 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
if(data.window_no !== undefined){
let data2 = data.window_no;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err16 = {instancePath:instancePath+"/window_no",schemaPath:"#/properties/window_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
const err17 = {instancePath:instancePath+"/window_no",schemaPath:"#/properties/window_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err18 = {instancePath:instancePath+"/window_no",schemaPath:"#/properties/window_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
}
if(data.from_seq_no !== undefined){
let data3 = data.from_seq_no;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err19 = {instancePath:instancePath+"/from_seq_no",schemaPath:"#/properties/from_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err20 = {instancePath:instancePath+"/from_seq_no",schemaPath:"#/properties/from_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err21 = {instancePath:instancePath+"/from_seq_no",schemaPath:"#/properties/from_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
}
if(data.to_seq_no !== undefined){
let data4 = data.to_seq_no;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err22 = {instancePath:instancePath+"/to_seq_no",schemaPath:"#/properties/to_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
const err23 = {instancePath:instancePath+"/to_seq_no",schemaPath:"#/properties/to_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
if(data4 < 1 || isNaN(data4)){
const err24 = {instancePath:instancePath+"/to_seq_no",schemaPath:"#/properties/to_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
}
if(data.window_root !== undefined){
let data5 = data.window_root;
if(typeof data5 === "string"){
if(!pattern6.test(data5)){
const err25 = {instancePath:instancePath+"/window_root",schemaPath:"#/properties/window_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/window_root",schemaPath:"#/properties/window_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
if(data.stream_head_hash !== undefined){
let data6 = data.stream_head_hash;
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
const err27 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
if(data.policy_digest !== undefined){
let data7 = data.policy_digest;
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err29 = {instancePath:instancePath+"/policy_digest",schemaPath:"#/properties/policy_digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/policy_digest",schemaPath:"#/properties/policy_digest/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
if(data.witness_policy_digest !== undefined){
let data8 = data.witness_policy_digest;
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err31 = {instancePath:instancePath+"/witness_policy_digest",schemaPath:"#/properties/witness_policy_digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/witness_policy_digest",schemaPath:"#/properties/witness_policy_digest/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
if(data.closed_at !== undefined){
let data9 = data.closed_at;
if(typeof data9 === "string"){
if(!(formats4(data9))){
const err33 = {instancePath:instancePath+"/closed_at",schemaPath:"#/properties/closed_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/closed_at",schemaPath:"#/properties/closed_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
if(data.seal !== undefined){
let data10 = data.seal;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.protocol === undefined){
const err35 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
if(data10.alg === undefined){
const err36 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
if(data10.kid === undefined){
const err37 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(data10.signature === undefined){
const err38 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
for(const key1 in data10){
if(!((((key1 === "protocol") || (key1 === "alg")) || (key1 === "kid")) || (key1 === "signature"))){
const err39 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
if(data10.protocol !== undefined){
let data11 = data10.protocol;
if(typeof data11 !== "string"){
const err40 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data11){
const err41 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
}
if(data10.alg !== undefined){
let data12 = data10.alg;
if(typeof data12 !== "string"){
const err42 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
if("Ed25519" !== data12){
const err43 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
}
if(data10.kid !== undefined){
let data13 = data10.kid;
if(typeof data13 === "string"){
if(!pattern10.test(data13)){
const err44 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
if(data10.signature !== undefined){
let data14 = data10.signature;
if(typeof data14 === "string"){
if(!pattern11.test(data14)){
const err46 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
}
if(data.leaves !== undefined){
let data15 = data.leaves;
if(Array.isArray(data15)){
const len0 = data15.length;
for(let i0=0; i0<len0; i0++){
let data16 = data15[i0];
if(typeof data16 === "string"){
if(!pattern6.test(data16)){
const err49 = {instancePath:instancePath+"/leaves/" + i0,schemaPath:"#/properties/leaves/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/leaves/" + i0,schemaPath:"#/properties/leaves/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
}
else {
const err51 = {instancePath:instancePath+"/leaves",schemaPath:"#/properties/leaves/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
}
if(data.inclusions !== undefined){
let data17 = data.inclusions;
if(Array.isArray(data17)){
const len1 = data17.length;
for(let i1=0; i1<len1; i1++){
if(!(validate59(data17[i1], {instancePath:instancePath+"/inclusions/" + i1,parentData:data17,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : joined(vErrors, validate59.errors);
errors = vErrors.length;
}
}
}
else {
const err52 = {instancePath:instancePath+"/inclusions",schemaPath:"#/properties/inclusions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
}
}
else {
const err53 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const inclusion = validate59;

export const checkpoint = validate61;
const schema25 = {"type":"object","required":["checkpoint_id","stream_id","origin","checkpoint_no","window_count","checkpoint_root","window_roots","to_seq_no","latest_event_hash","stream_head_hash","previous_checkpoint_hash","policy_id","policy_digest","witness_policy_digest","anchor_epoch_candidate","created_at","seal","note"],"properties":{"checkpoint_id":{"type":"string","pattern":"^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"chk_ and a lowercase ULID"},"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"origin":{"type":"string","format":"origin","description":"a schema-less URL in printable ASCII that ends in / and the stream id"},"checkpoint_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"window_count":{"type":"integer","minimum":1,"maximum":9007199254740991},"checkpoint_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"window_roots":{"type":"array","items":{"type":"object","required":["window_no","window_hash","window_root","from_seq_no","to_seq_no"],"properties":{"window_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"window_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"window_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"from_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"to_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991}},"additionalProperties":false},"minItems":1,"maxItems":1024},"to_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"latest_event_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"stream_head_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"previous_checkpoint_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"policy_id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,63}$","description":"1 to 64 of a-z 0-9 . _ -, a letter or digit first"},"policy_digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"witness_policy_digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"anchor_epoch_candidate":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991},"created_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"seal":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false},"note":{"type":"string"},"frontier":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}}},"$id":"checkpoint","additionalProperties":false};
const pattern43 = new RegExp("^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");
const pattern51 = new RegExp("^[a-z0-9][a-z0-9._-]{0,63}$", "u");
const formats16 = formats.origin;

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="checkpoint" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.checkpoint_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.stream_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.origin === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "origin"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.checkpoint_no === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_no"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.window_count === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_count"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.checkpoint_root === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_root"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.window_roots === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_roots"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.to_seq_no === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "to_seq_no"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data.latest_event_hash === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "latest_event_hash"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data.stream_head_hash === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_head_hash"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data.previous_checkpoint_hash === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "previous_checkpoint_hash"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data.policy_id === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_id"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
if(data.policy_digest === undefined){
const err12 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_digest"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if(data.witness_policy_digest === undefined){
const err13 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "witness_policy_digest"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if(data.anchor_epoch_candidate === undefined){
const err14 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "anchor_epoch_candidate"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
if(data.created_at === undefined){
const err15 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
if(data.seal === undefined){
const err16 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seal"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
if(data.note === undefined){
const err17 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "note"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema25.properties, key0))){
const err18 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
if(data.checkpoint_id !== undefined){
let data0 = data.checkpoint_id;
if(typeof data0 === "string"){
if(!pattern43.test(data0)){
const err19 = {instancePath:instancePath+"/checkpoint_id",schemaPath:"#/properties/checkpoint_id/pattern",keyword:"pattern",params:{pattern: "^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/checkpoint_id",schemaPath:"#/properties/checkpoint_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
if(data.stream_id !== undefined){
let data1 = data.stream_id;
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err21 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
}
if(data.origin !== undefined){
let data2 = data.origin;
if(typeof data2 === "string"){
if(!(formats16(data2))){
const err23 = {instancePath:instancePath+"/origin",schemaPath:"#/properties/origin/format",keyword:"format",params:{format: "origin"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/origin",schemaPath:"#/properties/origin/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
if(data.checkpoint_no !== undefined){
let data3 = data.checkpoint_no;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err25 = {instancePath:instancePath+"/checkpoint_no",schemaPath:"#/properties/checkpoint_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err26 = {instancePath:instancePath+"/checkpoint_no",schemaPath:"#/properties/checkpoint_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err27 = {instancePath:instancePath+"/checkpoint_no",schemaPath:"#/properties/checkpoint_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
}
if(data.window_count !== undefined){
let data4 = data.window_count;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err28 = {instancePath:instancePath+"/window_count",schemaPath:"#/properties/window_count/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
const err29 = {instancePath:instancePath+"/window_count",schemaPath:"#/properties/window_count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
if(data4 < 1 || isNaN(data4)){
const err30 = {instancePath:instancePath+"/window_count",schemaPath:"#/properties/window_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
}
if(data.checkpoint_root !== undefined){
let data5 = data.checkpoint_root;
if(typeof data5 === "string"){
if(!pattern6.test(data5)){
const err31 = {instancePath:instancePath+"/checkpoint_root",schemaPath:"#/properties/checkpoint_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/checkpoint_root",schemaPath:"#/properties/checkpoint_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
if(data.window_roots !== undefined){
let data6 = data.window_roots;
if(Array.isArray(data6)){
if(data6.length > 1024){
const err33 = {instancePath:instancePath+"/window_roots",schemaPath:"#/properties/window_roots/maxItems",keyword:"maxItems",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
if(data6.length < 1){
const err34 = {instancePath:instancePath+"/window_roots",schemaPath:"#/properties/window_roots/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.window_no === undefined){
const err35 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/required",keyword:"required",params:{missingProperty: "window_no"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
if(data7.window_hash === undefined){
const err36 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/required",keyword:"required",params:{missingProperty: "window_hash"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
if(data7.window_root === undefined){
const err37 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/required",keyword:"required",params:{missingProperty: "window_root"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(data7.from_seq_no === undefined){
const err38 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/required",keyword:"required",params:{missingProperty: "from_seq_no"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
if(data7.to_seq_no === undefined){
const err39 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/required",keyword:"required",params:{missingProperty: "to_seq_no"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
for(const key1 in data7){
if(!(((((key1 === "window_no") || (key1 === "window_hash")) || (key1 === "window_root")) || (key1 === "from_seq_no")) || (key1 === "to_seq_no"))){
const err40 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
if(data7.window_no !== undefined){
let data8 = data7.window_no;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err41 = {instancePath:instancePath+"/window_roots/" + i0+"/window_no",schemaPath:"#/properties/window_roots/items/properties/window_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 9007199254740991 || isNaN(data8)){
const err42 = {instancePath:instancePath+"/window_roots/" + i0+"/window_no",schemaPath:"#/properties/window_roots/items/properties/window_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
if(data8 < 1 || isNaN(data8)){
const err43 = {instancePath:instancePath+"/window_roots/" + i0+"/window_no",schemaPath:"#/properties/window_roots/items/properties/window_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
}
}
if(data7.window_hash !== undefined){
let data9 = data7.window_hash;
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err44 = {instancePath:instancePath+"/window_roots/" + i0+"/window_hash",schemaPath:"#/properties/window_roots/items/properties/window_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/window_roots/" + i0+"/window_hash",schemaPath:"#/properties/window_roots/items/properties/window_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
if(data7.window_root !== undefined){
let data10 = data7.window_root;
if(typeof data10 === "string"){
if(!pattern6.test(data10)){
const err46 = {instancePath:instancePath+"/window_roots/" + i0+"/window_root",schemaPath:"#/properties/window_roots/items/properties/window_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/window_roots/" + i0+"/window_root",schemaPath:"#/properties/window_roots/items/properties/window_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
}
if(data7.from_seq_no !== undefined){
let data11 = data7.from_seq_no;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err48 = {instancePath:instancePath+"/window_roots/" + i0+"/from_seq_no",schemaPath:"#/properties/window_roots/items/properties/from_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 9007199254740991 || isNaN(data11)){
const err49 = {instancePath:instancePath+"/window_roots/" + i0+"/from_seq_no",schemaPath:"#/properties/window_roots/items/properties/from_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
if(data11 < 1 || isNaN(data11)){
const err50 = {instancePath:instancePath+"/window_roots/" + i0+"/from_seq_no",schemaPath:"#/properties/window_roots/items/properties/from_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
}
if(data7.to_seq_no !== undefined){
let data12 = data7.to_seq_no;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err51 = {instancePath:instancePath+"/window_roots/" + i0+"/to_seq_no",schemaPath:"#/properties/window_roots/items/properties/to_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 9007199254740991 || isNaN(data12)){
const err52 = {instancePath:instancePath+"/window_roots/" + i0+"/to_seq_no",schemaPath:"#/properties/window_roots/items/properties/to_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
if(data12 < 1 || isNaN(data12)){
const err53 = {instancePath:instancePath+"/window_roots/" + i0+"/to_seq_no",schemaPath:"#/properties/window_roots/items/properties/to_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
}
}
}
else {
const err54 = {instancePath:instancePath+"/window_roots/" + i0,schemaPath:"#/properties/window_roots/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err54];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err54); }
errors++;
}
}
}
else {
const err55 = {instancePath:instancePath+"/window_roots",schemaPath:"#/properties/window_roots/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err55];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err55); }
errors++;
}
}
if(data.to_seq_no !== undefined){
let data13 = data.to_seq_no;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err56 = {instancePath:instancePath+"/to_seq_no",schemaPath:"#/properties/to_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err56];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err56); }
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 9007199254740991 || isNaN(data13)){
const err57 = {instancePath:instancePath+"/to_seq_no",schemaPath:"#/properties/to_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err57];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err57); }
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err58 = {instancePath:instancePath+"/to_seq_no",schemaPath:"#/properties/to_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err58];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err58); }
errors++;
}
}
}
if(data.latest_event_hash !== undefined){
let data14 = data.latest_event_hash;
if(typeof data14 === "string"){
if(!pattern6.test(data14)){
const err59 = {instancePath:instancePath+"/latest_event_hash",schemaPath:"#/properties/latest_event_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err59];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err59); }
errors++;
}
}
else {
const err60 = {instancePath:instancePath+"/latest_event_hash",schemaPath:"#/properties/latest_event_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err60];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err60); }
errors++;
}
}
if(data.stream_head_hash !== undefined){
let data15 = data.stream_head_hash;
if(typeof data15 === "string"){
if(!pattern6.test(data15)){
const err61 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err61];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err61); }
errors++;
}
}
else {
const err62 = {instancePath:instancePath+"/stream_head_hash",schemaPath:"#/properties/stream_head_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err62];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err62); }
errors++;
}
}
if(data.previous_checkpoint_hash !== undefined){
let data16 = data.previous_checkpoint_hash;
if(typeof data16 === "string"){
if(!pattern6.test(data16)){
const err63 = {instancePath:instancePath+"/previous_checkpoint_hash",schemaPath:"#/properties/previous_checkpoint_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err63];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err63); }
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/previous_checkpoint_hash",schemaPath:"#/properties/previous_checkpoint_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err64); }
errors++;
}
}
if(data.policy_id !== undefined){
let data17 = data.policy_id;
if(typeof data17 === "string"){
if(!pattern51.test(data17)){
const err65 = {instancePath:instancePath+"/policy_id",schemaPath:"#/properties/policy_id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err65];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err65); }
errors++;
}
}
else {
const err66 = {instancePath:instancePath+"/policy_id",schemaPath:"#/properties/policy_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err66];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err66); }
errors++;
}
}
if(data.policy_digest !== undefined){
let data18 = data.policy_digest;
if(typeof data18 === "string"){
if(!pattern6.test(data18)){
const err67 = {instancePath:instancePath+"/policy_digest",schemaPath:"#/properties/policy_digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err67];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err67); }
errors++;
}
}
else {
const err68 = {instancePath:instancePath+"/policy_digest",schemaPath:"#/properties/policy_digest/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err68];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err68); }
errors++;
}
}
if(data.witness_policy_digest !== undefined){
let data19 = data.witness_policy_digest;
if(typeof data19 === "string"){
if(!pattern6.test(data19)){
const err69 = {instancePath:instancePath+"/witness_policy_digest",schemaPath:"#/properties/witness_policy_digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err69];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err69); }
errors++;
}
}
else {
const err70 = {instancePath:instancePath+"/witness_policy_digest",schemaPath:"#/properties/witness_policy_digest/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err70];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err70); }
errors++;
}
}
if(data.anchor_epoch_candidate !== undefined){
let data20 = data.anchor_epoch_candidate;
if((!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))) && (data20 !== null)){
const err71 = {instancePath:instancePath+"/anchor_epoch_candidate",schemaPath:"#/properties/anchor_epoch_candidate/type",keyword:"type",params:{type: schema25.properties.anchor_epoch_candidate.type}};
if(vErrors === null){
vErrors = [err71];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err71); }
errors++;
}
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 9007199254740991 || isNaN(data20)){
const err72 = {instancePath:instancePath+"/anchor_epoch_candidate",schemaPath:"#/properties/anchor_epoch_candidate/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err72];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err72); }
errors++;
}
if(data20 < 0 || isNaN(data20)){
const err73 = {instancePath:instancePath+"/anchor_epoch_candidate",schemaPath:"#/properties/anchor_epoch_candidate/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err73];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err73); }
errors++;
}
}
}
if(data.created_at !== undefined){
let data21 = data.created_at;
if(typeof data21 === "string"){
if(!(formats4(data21))){
const err74 = {instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err74];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err74); }
errors++;
}
}
else {
const err75 = {instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err75];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err75); }
errors++;
}
}
if(data.seal !== undefined){
let data22 = data.seal;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.protocol === undefined){
const err76 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err76];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err76); }
errors++;
}
if(data22.alg === undefined){
const err77 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err77];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err77); }
errors++;
}
if(data22.kid === undefined){
const err78 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err78];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err78); }
errors++;
}
if(data22.signature === undefined){
const err79 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err79];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err79); }
errors++;
}
for(const key2 in data22){
if(!((((key2 === "protocol") || (key2 === "alg")) || (key2 === "kid")) || (key2 === "signature"))){
const err80 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err80];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err80); }
errors++;
}
}
if(data22.protocol !== undefined){
let data23 = data22.protocol;
if(typeof data23 !== "string"){
const err81 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err81];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err81); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data23){
const err82 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err82];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err82); }
errors++;
}
}
if(data22.alg !== undefined){
let data24 = data22.alg;
if(typeof data24 !== "string"){
const err83 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err83];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err83); }
errors++;
}
if("Ed25519" !== data24){
const err84 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err84];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err84); }
errors++;
}
}
if(data22.kid !== undefined){
let data25 = data22.kid;
if(typeof data25 === "string"){
if(!pattern10.test(data25)){
const err85 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err85];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err85); }
errors++;
}
}
else {
const err86 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err86];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err86); }
errors++;
}
}
if(data22.signature !== undefined){
let data26 = data22.signature;
if(typeof data26 === "string"){
if(!pattern11.test(data26)){
const err87 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err87];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err87); }
errors++;
}
}
else {
const err88 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err88];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err88); }
errors++;
}
}
}
else {
const err89 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err89];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err89); }
errors++;
}
}
if(data.note !== undefined){
if(typeof data.note !== "string"){
const err90 = {instancePath:instancePath+"/note",schemaPath:"#/properties/note/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err90];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err90); }
errors++;
}
}
if(data.frontier !== undefined){
let data28 = data.frontier;
if(Array.isArray(data28)){
const len1 = data28.length;
for(let i1=0; i1<len1; i1++){
let data29 = data28[i1];
if(typeof data29 === "string"){
if(!pattern6.test(data29)){
const err91 = {instancePath:instancePath+"/frontier/" + i1,schemaPath:"#/properties/frontier/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err91];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err91); }
errors++;
}
}
else {
const err92 = {instancePath:instancePath+"/frontier/" + i1,schemaPath:"#/properties/frontier/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err92];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err92); }
errors++;
}
}
}
else {
const err93 = {instancePath:instancePath+"/frontier",schemaPath:"#/properties/frontier/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err93];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err93); }
errors++;
}
}
}
else {
const err94 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err94];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err94); }
errors++;
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const consistency = validate62;
const schema26 = {"type":"object","required":["stream_id","from_checkpoint","to_checkpoint","consistency_path"],"properties":{"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"from_checkpoint":{"$ref":"checkpoint"},"to_checkpoint":{"$ref":"checkpoint"},"consistency_path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"key_hints":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"key_endorsements":{"type":"array","items":{"$ref":"key-endorsement"}}},"$id":"consistency","additionalProperties":false};

function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="consistency" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.stream_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.from_checkpoint === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "from_checkpoint"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.to_checkpoint === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "to_checkpoint"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.consistency_path === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "consistency_path"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
for(const key0 in data){
if(!((((((key0 === "stream_id") || (key0 === "from_checkpoint")) || (key0 === "to_checkpoint")) || (key0 === "consistency_path")) || (key0 === "key_hints")) || (key0 === "key_endorsements"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
}
if(data.stream_id !== undefined){
let data0 = data.stream_id;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err5 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
if(data.from_checkpoint !== undefined){
if(!(validate61(data.from_checkpoint, {instancePath:instancePath+"/from_checkpoint",parentData:data,parentDataProperty:"from_checkpoint",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : joined(vErrors, validate61.errors);
errors = vErrors.length;
}
}
if(data.to_checkpoint !== undefined){
if(!(validate61(data.to_checkpoint, {instancePath:instancePath+"/to_checkpoint",parentData:data,parentDataProperty:"to_checkpoint",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : joined(vErrors, validate61.errors);
errors = vErrors.length;
}
}
if(data.consistency_path !== undefined){
let data3 = data.consistency_path;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
const err7 = {instancePath:instancePath+"/consistency_path/" + i0,schemaPath:"#/properties/consistency_path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/consistency_path/" + i0,schemaPath:"#/properties/consistency_path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/consistency_path",schemaPath:"#/properties/consistency_path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
if(data.key_hints !== undefined){
let data5 = data.key_hints;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
let data6 = data5[i1];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.kid === undefined){
const err10 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data6.public_key_hex === undefined){
const err11 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
for(const key1 in data6){
if(!((key1 === "kid") || (key1 === "public_key_hex"))){
const err12 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
if(data6.kid !== undefined){
let data7 = data6.kid;
if(typeof data7 === "string"){
if(!pattern10.test(data7)){
const err13 = {instancePath:instancePath+"/key_hints/" + i1+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/key_hints/" + i1+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
if(data6.public_key_hex !== undefined){
let data8 = data6.public_key_hex;
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err15 = {instancePath:instancePath+"/key_hints/" + i1+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/key_hints/" + i1+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/key_hints",schemaPath:"#/properties/key_hints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
if(data.key_endorsements !== undefined){
let data9 = data.key_endorsements;
if(Array.isArray(data9)){
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
if(!(validate56(data9[i2], {instancePath:instancePath+"/key_endorsements/" + i2,parentData:data9,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : joined(vErrors, validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err19 = {instancePath:instancePath+"/key_endorsements",schemaPath:"#/properties/key_endorsements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
}
else {
const err20 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const witness_statement = validate66;
const schema27 = {"type":"object","required":["witness_id","key_epoch","stream_id","checkpoint_id","checkpoint_hash","window_count","checkpoint_root","cosigned_at","signature"],"properties":{"witness_id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,63}$","description":"1 to 64 of a-z 0-9 . _ -, a letter or digit first"},"key_epoch":{"type":"integer","minimum":1,"maximum":9007199254740991},"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"checkpoint_id":{"type":"string","pattern":"^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"chk_ and a lowercase ULID"},"checkpoint_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"window_count":{"type":"integer","minimum":1,"maximum":9007199254740991},"checkpoint_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"cosigned_at":{"type":"integer","minimum":1,"maximum":9007199254740991},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"$id":"witness-statement","additionalProperties":false};

function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="witness-statement" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.witness_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "witness_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.key_epoch === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key_epoch"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.stream_id === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.checkpoint_id === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_id"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.checkpoint_hash === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_hash"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.window_count === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_count"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.checkpoint_root === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_root"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.cosigned_at === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "cosigned_at"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data.signature === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema27.properties, key0))){
const err9 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
if(data.witness_id !== undefined){
let data0 = data.witness_id;
if(typeof data0 === "string"){
if(!pattern51.test(data0)){
const err10 = {instancePath:instancePath+"/witness_id",schemaPath:"#/properties/witness_id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/witness_id",schemaPath:"#/properties/witness_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
if(data.key_epoch !== undefined){
let data1 = data.key_epoch;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err12 = {instancePath:instancePath+"/key_epoch",schemaPath:"#/properties/key_epoch/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err13 = {instancePath:instancePath+"/key_epoch",schemaPath:"#/properties/key_epoch/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err14 = {instancePath:instancePath+"/key_epoch",schemaPath:"#/properties/key_epoch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
}
if(data.stream_id !== undefined){
let data2 = data.stream_id;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err15 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
if(data.checkpoint_id !== undefined){
let data3 = data.checkpoint_id;
if(typeof data3 === "string"){
if(!pattern43.test(data3)){
const err17 = {instancePath:instancePath+"/checkpoint_id",schemaPath:"#/properties/checkpoint_id/pattern",keyword:"pattern",params:{pattern: "^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/checkpoint_id",schemaPath:"#/properties/checkpoint_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
if(data.checkpoint_hash !== undefined){
let data4 = data.checkpoint_hash;
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
const err19 = {instancePath:instancePath+"/checkpoint_hash",schemaPath:"#/properties/checkpoint_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/checkpoint_hash",schemaPath:"#/properties/checkpoint_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
if(data.window_count !== undefined){
let data5 = data.window_count;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err21 = {instancePath:instancePath+"/window_count",schemaPath:"#/properties/window_count/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 9007199254740991 || isNaN(data5)){
const err22 = {instancePath:instancePath+"/window_count",schemaPath:"#/properties/window_count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
if(data5 < 1 || isNaN(data5)){
const err23 = {instancePath:instancePath+"/window_count",schemaPath:"#/properties/window_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
}
if(data.checkpoint_root !== undefined){
let data6 = data.checkpoint_root;
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
const err24 = {instancePath:instancePath+"/checkpoint_root",schemaPath:"#/properties/checkpoint_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/checkpoint_root",schemaPath:"#/properties/checkpoint_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
if(data.cosigned_at !== undefined){
let data7 = data.cosigned_at;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err26 = {instancePath:instancePath+"/cosigned_at",schemaPath:"#/properties/cosigned_at/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254740991 || isNaN(data7)){
const err27 = {instancePath:instancePath+"/cosigned_at",schemaPath:"#/properties/cosigned_at/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
if(data7 < 1 || isNaN(data7)){
const err28 = {instancePath:instancePath+"/cosigned_at",schemaPath:"#/properties/cosigned_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
}
if(data.signature !== undefined){
let data8 = data.signature;
if(typeof data8 === "string"){
if(!pattern11.test(data8)){
const err29 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
}
else {
const err31 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const policy = validate67;
const schema28 = {"type":"object","required":["policy_id","policy_version","window_max_events","window_max_seconds","checkpoint_max_windows","anchor"],"properties":{"policy_id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,63}$","description":"1 to 64 of a-z 0-9 . _ -, a letter or digit first"},"policy_version":{"type":"integer","minimum":1,"maximum":9007199254740991},"window_max_events":{"type":"integer","minimum":1,"maximum":9007199254740991},"window_max_seconds":{"type":"integer","minimum":1,"maximum":9007199254740991},"checkpoint_max_windows":{"type":"integer","minimum":1,"maximum":9007199254740991},"anchor":{"enum":["none","optional","required"],"description":"one of none, optional, required"}},"$id":"policy","additionalProperties":false};

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="policy" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.policy_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.policy_version === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_version"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.window_max_events === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_max_events"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.window_max_seconds === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window_max_seconds"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.checkpoint_max_windows === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_max_windows"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.anchor === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "anchor"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
for(const key0 in data){
if(!((((((key0 === "policy_id") || (key0 === "policy_version")) || (key0 === "window_max_events")) || (key0 === "window_max_seconds")) || (key0 === "checkpoint_max_windows")) || (key0 === "anchor"))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
if(data.policy_id !== undefined){
let data0 = data.policy_id;
if(typeof data0 === "string"){
if(!pattern51.test(data0)){
const err7 = {instancePath:instancePath+"/policy_id",schemaPath:"#/properties/policy_id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/policy_id",schemaPath:"#/properties/policy_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
if(data.policy_version !== undefined){
let data1 = data.policy_version;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err9 = {instancePath:instancePath+"/policy_version",schemaPath:"#/properties/policy_version/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err10 = {instancePath:instancePath+"/policy_version",schemaPath:"#/properties/policy_version/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err11 = {instancePath:instancePath+"/policy_version",schemaPath:"#/properties/policy_version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
}
if(data.window_max_events !== undefined){
let data2 = data.window_max_events;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err12 = {instancePath:instancePath+"/window_max_events",schemaPath:"#/properties/window_max_events/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
const err13 = {instancePath:instancePath+"/window_max_events",schemaPath:"#/properties/window_max_events/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err14 = {instancePath:instancePath+"/window_max_events",schemaPath:"#/properties/window_max_events/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
}
if(data.window_max_seconds !== undefined){
let data3 = data.window_max_seconds;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err15 = {instancePath:instancePath+"/window_max_seconds",schemaPath:"#/properties/window_max_seconds/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err16 = {instancePath:instancePath+"/window_max_seconds",schemaPath:"#/properties/window_max_seconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err17 = {instancePath:instancePath+"/window_max_seconds",schemaPath:"#/properties/window_max_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
}
if(data.checkpoint_max_windows !== undefined){
let data4 = data.checkpoint_max_windows;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err18 = {instancePath:instancePath+"/checkpoint_max_windows",schemaPath:"#/properties/checkpoint_max_windows/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
const err19 = {instancePath:instancePath+"/checkpoint_max_windows",schemaPath:"#/properties/checkpoint_max_windows/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
if(data4 < 1 || isNaN(data4)){
const err20 = {instancePath:instancePath+"/checkpoint_max_windows",schemaPath:"#/properties/checkpoint_max_windows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
}
if(data.anchor !== undefined){
let data5 = data.anchor;
if(!(((data5 === "none") || (data5 === "optional")) || (data5 === "required"))){
const err21 = {instancePath:instancePath+"/anchor",schemaPath:"#/properties/anchor/enum",keyword:"enum",params:{allowedValues: schema28.properties.anchor.enum}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
}
else {
const err22 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const witness_policy = validate68;
const schema29 = {"type":"object","required":["policy_id","policy_version","mode","threshold","witnessKeys","declared_at"],"properties":{"policy_id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,63}$","description":"1 to 64 of a-z 0-9 . _ -, a letter or digit first"},"policy_version":{"type":"integer","minimum":1,"maximum":9007199254740991},"mode":{"enum":["managed-shadow","independent"],"description":"one of managed-shadow, independent"},"threshold":{"type":"integer","minimum":1,"maximum":9007199254740991},"witnessKeys":{"type":"array","items":{"type":"object","required":["witness_id","name","public_key_hex","key_epoch","valid_from","valid_to","managed"],"properties":{"witness_id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]{0,63}$","description":"1 to 64 of a-z 0-9 . _ -, a letter or digit first"},"name":{"type":"string","format":"key-name","description":"a C2SP key name: no spaces, no +"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"key_epoch":{"type":"integer","minimum":1,"maximum":9007199254740991},"valid_from":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"valid_to":{"type":["string","null"],"format":"service-time"},"managed":{"type":"boolean"}},"additionalProperties":false}},"declared_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"}},"$id":"witness-policy","additionalProperties":false};
const formats20 = formats["key-name"];

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="witness-policy" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.policy_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.policy_version === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "policy_version"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.mode === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "mode"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.threshold === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "threshold"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.witnessKeys === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "witnessKeys"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.declared_at === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "declared_at"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
for(const key0 in data){
if(!((((((key0 === "policy_id") || (key0 === "policy_version")) || (key0 === "mode")) || (key0 === "threshold")) || (key0 === "witnessKeys")) || (key0 === "declared_at"))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
if(data.policy_id !== undefined){
let data0 = data.policy_id;
if(typeof data0 === "string"){
if(!pattern51.test(data0)){
const err7 = {instancePath:instancePath+"/policy_id",schemaPath:"#/properties/policy_id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/policy_id",schemaPath:"#/properties/policy_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
if(data.policy_version !== undefined){
let data1 = data.policy_version;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err9 = {instancePath:instancePath+"/policy_version",schemaPath:"#/properties/policy_version/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err10 = {instancePath:instancePath+"/policy_version",schemaPath:"#/properties/policy_version/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err11 = {instancePath:instancePath+"/policy_version",schemaPath:"#/properties/policy_version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
}
if(data.mode !== undefined){
let data2 = data.mode;
if(!((data2 === "managed-shadow") || (data2 === "independent"))){
const err12 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema29.properties.mode.enum}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
if(data.threshold !== undefined){
let data3 = data.threshold;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err13 = {instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err15 = {instancePath:instancePath+"/threshold",schemaPath:"#/properties/threshold/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
}
if(data.witnessKeys !== undefined){
let data4 = data.witnessKeys;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.witness_id === undefined){
const err16 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "witness_id"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
if(data5.name === undefined){
const err17 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
if(data5.public_key_hex === undefined){
const err18 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if(data5.key_epoch === undefined){
const err19 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "key_epoch"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
if(data5.valid_from === undefined){
const err20 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "valid_from"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
if(data5.valid_to === undefined){
const err21 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "valid_to"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
if(data5.managed === undefined){
const err22 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/required",keyword:"required",params:{missingProperty: "managed"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
for(const key1 in data5){
if(!(((((((key1 === "witness_id") || (key1 === "name")) || (key1 === "public_key_hex")) || (key1 === "key_epoch")) || (key1 === "valid_from")) || (key1 === "valid_to")) || (key1 === "managed"))){
const err23 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
}
if(data5.witness_id !== undefined){
let data6 = data5.witness_id;
if(typeof data6 === "string"){
if(!pattern51.test(data6)){
const err24 = {instancePath:instancePath+"/witnessKeys/" + i0+"/witness_id",schemaPath:"#/properties/witnessKeys/items/properties/witness_id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]{0,63}$"}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/witnessKeys/" + i0+"/witness_id",schemaPath:"#/properties/witnessKeys/items/properties/witness_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
if(data5.name !== undefined){
let data7 = data5.name;
if(typeof data7 === "string"){
if(!(formats20(data7))){
const err26 = {instancePath:instancePath+"/witnessKeys/" + i0+"/name",schemaPath:"#/properties/witnessKeys/items/properties/name/format",keyword:"format",params:{format: "key-name"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/witnessKeys/" + i0+"/name",schemaPath:"#/properties/witnessKeys/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
if(data5.public_key_hex !== undefined){
let data8 = data5.public_key_hex;
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err28 = {instancePath:instancePath+"/witnessKeys/" + i0+"/public_key_hex",schemaPath:"#/properties/witnessKeys/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/witnessKeys/" + i0+"/public_key_hex",schemaPath:"#/properties/witnessKeys/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
if(data5.key_epoch !== undefined){
let data9 = data5.key_epoch;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err30 = {instancePath:instancePath+"/witnessKeys/" + i0+"/key_epoch",schemaPath:"#/properties/witnessKeys/items/properties/key_epoch/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 9007199254740991 || isNaN(data9)){
const err31 = {instancePath:instancePath+"/witnessKeys/" + i0+"/key_epoch",schemaPath:"#/properties/witnessKeys/items/properties/key_epoch/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
if(data9 < 1 || isNaN(data9)){
const err32 = {instancePath:instancePath+"/witnessKeys/" + i0+"/key_epoch",schemaPath:"#/properties/witnessKeys/items/properties/key_epoch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
}
if(data5.valid_from !== undefined){
let data10 = data5.valid_from;
if(typeof data10 === "string"){
if(!(formats4(data10))){
const err33 = {instancePath:instancePath+"/witnessKeys/" + i0+"/valid_from",schemaPath:"#/properties/witnessKeys/items/properties/valid_from/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/witnessKeys/" + i0+"/valid_from",schemaPath:"#/properties/witnessKeys/items/properties/valid_from/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
if(data5.valid_to !== undefined){
let data11 = data5.valid_to;
if((typeof data11 !== "string") && (data11 !== null)){
const err35 = {instancePath:instancePath+"/witnessKeys/" + i0+"/valid_to",schemaPath:"#/properties/witnessKeys/items/properties/valid_to/type",keyword:"type",params:{type: schema29.properties.witnessKeys.items.properties.valid_to.type}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
if(typeof data11 === "string"){
if(!(formats4(data11))){
const err36 = {instancePath:instancePath+"/witnessKeys/" + i0+"/valid_to",schemaPath:"#/properties/witnessKeys/items/properties/valid_to/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
}
}
if(data5.managed !== undefined){
if(typeof data5.managed !== "boolean"){
const err37 = {instancePath:instancePath+"/witnessKeys/" + i0+"/managed",schemaPath:"#/properties/witnessKeys/items/properties/managed/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/witnessKeys/" + i0,schemaPath:"#/properties/witnessKeys/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/witnessKeys",schemaPath:"#/properties/witnessKeys/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
if(data.declared_at !== undefined){
let data13 = data.declared_at;
if(typeof data13 === "string"){
if(!(formats4(data13))){
const err40 = {instancePath:instancePath+"/declared_at",schemaPath:"#/properties/declared_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/declared_at",schemaPath:"#/properties/declared_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
}
}
else {
const err42 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const key_endorsement = validate56;

export const anchor = validate69;
const schema30 = {"type":"object","required":["anchor_epoch_id","origin","epoch_no","log_size","epoch_root","network","contract","tx_hash","block_number","block_hash","anchored_at","seal","note","members","evidence"],"properties":{"anchor_epoch_id":{"type":"string","pattern":"^anc_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"anc_ and a lowercase ULID"},"origin":{"type":"string","format":"origin","description":"a schema-less URL in printable ASCII without spaces or +"},"epoch_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"log_size":{"type":"integer","minimum":1,"maximum":9007199254740991},"epoch_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"network":{"type":["string","null"],"pattern":"^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$","description":"a CAIP-2 identifier, as eip155:1, or null"},"contract":{"type":["string","null"],"pattern":"^0x[0-9a-f]{40}$","description":"0x and 40 lowercase hex characters, or null"},"tx_hash":{"type":["string","null"],"pattern":"^0x[0-9a-f]{64}$","description":"0x and 64 lowercase hex characters, or null"},"block_number":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991},"block_hash":{"type":["string","null"],"pattern":"^0x[0-9a-f]{64}$","description":"0x and 64 lowercase hex characters, or null"},"anchored_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"seal":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false},"note":{"type":"string"},"members":{"type":"array","items":{"type":"object","required":["checkpoint_id","checkpoint_hash","leaf_index","inclusion_path"],"properties":{"checkpoint_id":{"type":"string","pattern":"^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"chk_ and a lowercase ULID"},"checkpoint_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"leaf_index":{"type":"integer","minimum":0,"maximum":9007199254740991},"inclusion_path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}}},"additionalProperties":false}},"evidence":{"type":["object","null"],"required":["block_header_rlp","account_proof","storage_proof"],"properties":{"block_header_rlp":{"type":"string","format":"hex","description":"lowercase hex, two digits a byte"},"account_proof":{"type":"array","items":{"type":"string","format":"hex","description":"lowercase hex, two digits a byte"}},"storage_proof":{"type":"array","items":{"type":"string","format":"hex","description":"lowercase hex, two digits a byte"}}},"additionalProperties":false}},"$id":"anchor","additionalProperties":false};
const pattern71 = new RegExp("^anc_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");
const pattern73 = new RegExp("^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$", "u");
const pattern74 = new RegExp("^0x[0-9a-f]{40}$", "u");
const pattern75 = new RegExp("^0x[0-9a-f]{64}$", "u");
const formats32 = formats.hex;

function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="anchor" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.anchor_epoch_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "anchor_epoch_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.origin === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "origin"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.epoch_no === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "epoch_no"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.log_size === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "log_size"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.epoch_root === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "epoch_root"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.network === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "network"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.contract === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "contract"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data.tx_hash === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tx_hash"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data.block_number === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "block_number"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data.block_hash === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "block_hash"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data.anchored_at === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "anchored_at"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data.seal === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seal"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
if(data.note === undefined){
const err12 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "note"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if(data.members === undefined){
const err13 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "members"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if(data.evidence === undefined){
const err14 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "evidence"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema30.properties, key0))){
const err15 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
if(data.anchor_epoch_id !== undefined){
let data0 = data.anchor_epoch_id;
if(typeof data0 === "string"){
if(!pattern71.test(data0)){
const err16 = {instancePath:instancePath+"/anchor_epoch_id",schemaPath:"#/properties/anchor_epoch_id/pattern",keyword:"pattern",params:{pattern: "^anc_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/anchor_epoch_id",schemaPath:"#/properties/anchor_epoch_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
if(data.origin !== undefined){
let data1 = data.origin;
if(typeof data1 === "string"){
if(!(formats16(data1))){
const err18 = {instancePath:instancePath+"/origin",schemaPath:"#/properties/origin/format",keyword:"format",params:{format: "origin"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/origin",schemaPath:"#/properties/origin/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
if(data.epoch_no !== undefined){
let data2 = data.epoch_no;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err20 = {instancePath:instancePath+"/epoch_no",schemaPath:"#/properties/epoch_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
const err21 = {instancePath:instancePath+"/epoch_no",schemaPath:"#/properties/epoch_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err22 = {instancePath:instancePath+"/epoch_no",schemaPath:"#/properties/epoch_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
}
}
if(data.log_size !== undefined){
let data3 = data.log_size;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err23 = {instancePath:instancePath+"/log_size",schemaPath:"#/properties/log_size/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err24 = {instancePath:instancePath+"/log_size",schemaPath:"#/properties/log_size/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err25 = {instancePath:instancePath+"/log_size",schemaPath:"#/properties/log_size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
}
if(data.epoch_root !== undefined){
let data4 = data.epoch_root;
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
const err26 = {instancePath:instancePath+"/epoch_root",schemaPath:"#/properties/epoch_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/epoch_root",schemaPath:"#/properties/epoch_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
if(data.network !== undefined){
let data5 = data.network;
if((typeof data5 !== "string") && (data5 !== null)){
const err28 = {instancePath:instancePath+"/network",schemaPath:"#/properties/network/type",keyword:"type",params:{type: schema30.properties.network.type}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
if(typeof data5 === "string"){
if(!pattern73.test(data5)){
const err29 = {instancePath:instancePath+"/network",schemaPath:"#/properties/network/pattern",keyword:"pattern",params:{pattern: "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
}
if(data.contract !== undefined){
let data6 = data.contract;
if((typeof data6 !== "string") && (data6 !== null)){
const err30 = {instancePath:instancePath+"/contract",schemaPath:"#/properties/contract/type",keyword:"type",params:{type: schema30.properties.contract.type}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
if(typeof data6 === "string"){
if(!pattern74.test(data6)){
const err31 = {instancePath:instancePath+"/contract",schemaPath:"#/properties/contract/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
}
}
if(data.tx_hash !== undefined){
let data7 = data.tx_hash;
if((typeof data7 !== "string") && (data7 !== null)){
const err32 = {instancePath:instancePath+"/tx_hash",schemaPath:"#/properties/tx_hash/type",keyword:"type",params:{type: schema30.properties.tx_hash.type}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
if(typeof data7 === "string"){
if(!pattern75.test(data7)){
const err33 = {instancePath:instancePath+"/tx_hash",schemaPath:"#/properties/tx_hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
}
if(data.block_number !== undefined){
let data8 = data.block_number;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (data8 !== null)){
const err34 = {instancePath:instancePath+"/block_number",schemaPath:"#/properties/block_number/type",keyword:"type",params:{type: schema30.properties.block_number.type}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 9007199254740991 || isNaN(data8)){
const err35 = {instancePath:instancePath+"/block_number",schemaPath:"#/properties/block_number/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
if(data8 < 0 || isNaN(data8)){
const err36 = {instancePath:instancePath+"/block_number",schemaPath:"#/properties/block_number/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
}
}
if(data.block_hash !== undefined){
let data9 = data.block_hash;
if((typeof data9 !== "string") && (data9 !== null)){
const err37 = {instancePath:instancePath+"/block_hash",schemaPath:"#/properties/block_hash/type",keyword:"type",params:{type: schema30.properties.block_hash.type}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(typeof data9 === "string"){
if(!pattern75.test(data9)){
const err38 = {instancePath:instancePath+"/block_hash",schemaPath:"#/properties/block_hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
}
}
if(data.anchored_at !== undefined){
let data10 = data.anchored_at;
if(typeof data10 === "string"){
if(!(formats4(data10))){
const err39 = {instancePath:instancePath+"/anchored_at",schemaPath:"#/properties/anchored_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/anchored_at",schemaPath:"#/properties/anchored_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
if(data.seal !== undefined){
let data11 = data.seal;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.protocol === undefined){
const err41 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
if(data11.alg === undefined){
const err42 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
if(data11.kid === undefined){
const err43 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
if(data11.signature === undefined){
const err44 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
for(const key1 in data11){
if(!((((key1 === "protocol") || (key1 === "alg")) || (key1 === "kid")) || (key1 === "signature"))){
const err45 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
if(data11.protocol !== undefined){
let data12 = data11.protocol;
if(typeof data12 !== "string"){
const err46 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data12){
const err47 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
}
if(data11.alg !== undefined){
let data13 = data11.alg;
if(typeof data13 !== "string"){
const err48 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
if("Ed25519" !== data13){
const err49 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
}
if(data11.kid !== undefined){
let data14 = data11.kid;
if(typeof data14 === "string"){
if(!pattern10.test(data14)){
const err50 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
}
if(data11.signature !== undefined){
let data15 = data11.signature;
if(typeof data15 === "string"){
if(!pattern11.test(data15)){
const err52 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err54];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err54); }
errors++;
}
}
if(data.note !== undefined){
if(typeof data.note !== "string"){
const err55 = {instancePath:instancePath+"/note",schemaPath:"#/properties/note/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err55];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err55); }
errors++;
}
}
if(data.members !== undefined){
let data17 = data.members;
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
let data18 = data17[i0];
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.checkpoint_id === undefined){
const err56 = {instancePath:instancePath+"/members/" + i0,schemaPath:"#/properties/members/items/required",keyword:"required",params:{missingProperty: "checkpoint_id"}};
if(vErrors === null){
vErrors = [err56];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err56); }
errors++;
}
if(data18.checkpoint_hash === undefined){
const err57 = {instancePath:instancePath+"/members/" + i0,schemaPath:"#/properties/members/items/required",keyword:"required",params:{missingProperty: "checkpoint_hash"}};
if(vErrors === null){
vErrors = [err57];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err57); }
errors++;
}
if(data18.leaf_index === undefined){
const err58 = {instancePath:instancePath+"/members/" + i0,schemaPath:"#/properties/members/items/required",keyword:"required",params:{missingProperty: "leaf_index"}};
if(vErrors === null){
vErrors = [err58];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err58); }
errors++;
}
if(data18.inclusion_path === undefined){
const err59 = {instancePath:instancePath+"/members/" + i0,schemaPath:"#/properties/members/items/required",keyword:"required",params:{missingProperty: "inclusion_path"}};
if(vErrors === null){
vErrors = [err59];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err59); }
errors++;
}
for(const key2 in data18){
if(!((((key2 === "checkpoint_id") || (key2 === "checkpoint_hash")) || (key2 === "leaf_index")) || (key2 === "inclusion_path"))){
const err60 = {instancePath:instancePath+"/members/" + i0,schemaPath:"#/properties/members/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err60];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err60); }
errors++;
}
}
if(data18.checkpoint_id !== undefined){
let data19 = data18.checkpoint_id;
if(typeof data19 === "string"){
if(!pattern43.test(data19)){
const err61 = {instancePath:instancePath+"/members/" + i0+"/checkpoint_id",schemaPath:"#/properties/members/items/properties/checkpoint_id/pattern",keyword:"pattern",params:{pattern: "^chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err61];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err61); }
errors++;
}
}
else {
const err62 = {instancePath:instancePath+"/members/" + i0+"/checkpoint_id",schemaPath:"#/properties/members/items/properties/checkpoint_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err62];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err62); }
errors++;
}
}
if(data18.checkpoint_hash !== undefined){
let data20 = data18.checkpoint_hash;
if(typeof data20 === "string"){
if(!pattern6.test(data20)){
const err63 = {instancePath:instancePath+"/members/" + i0+"/checkpoint_hash",schemaPath:"#/properties/members/items/properties/checkpoint_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err63];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err63); }
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/members/" + i0+"/checkpoint_hash",schemaPath:"#/properties/members/items/properties/checkpoint_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err64); }
errors++;
}
}
if(data18.leaf_index !== undefined){
let data21 = data18.leaf_index;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err65 = {instancePath:instancePath+"/members/" + i0+"/leaf_index",schemaPath:"#/properties/members/items/properties/leaf_index/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err65];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err65); }
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 9007199254740991 || isNaN(data21)){
const err66 = {instancePath:instancePath+"/members/" + i0+"/leaf_index",schemaPath:"#/properties/members/items/properties/leaf_index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err66];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err66); }
errors++;
}
if(data21 < 0 || isNaN(data21)){
const err67 = {instancePath:instancePath+"/members/" + i0+"/leaf_index",schemaPath:"#/properties/members/items/properties/leaf_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err67];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err67); }
errors++;
}
}
}
if(data18.inclusion_path !== undefined){
let data22 = data18.inclusion_path;
if(Array.isArray(data22)){
const len1 = data22.length;
for(let i1=0; i1<len1; i1++){
let data23 = data22[i1];
if(typeof data23 === "string"){
if(!pattern6.test(data23)){
const err68 = {instancePath:instancePath+"/members/" + i0+"/inclusion_path/" + i1,schemaPath:"#/properties/members/items/properties/inclusion_path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err68];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err68); }
errors++;
}
}
else {
const err69 = {instancePath:instancePath+"/members/" + i0+"/inclusion_path/" + i1,schemaPath:"#/properties/members/items/properties/inclusion_path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err69];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err69); }
errors++;
}
}
}
else {
const err70 = {instancePath:instancePath+"/members/" + i0+"/inclusion_path",schemaPath:"#/properties/members/items/properties/inclusion_path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err70];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err70); }
errors++;
}
}
}
else {
const err71 = {instancePath:instancePath+"/members/" + i0,schemaPath:"#/properties/members/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err71];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err71); }
errors++;
}
}
}
else {
const err72 = {instancePath:instancePath+"/members",schemaPath:"#/properties/members/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err72];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err72); }
errors++;
}
}
if(data.evidence !== undefined){
let data24 = data.evidence;
if((!(data24 && typeof data24 == "object" && !Array.isArray(data24))) && (data24 !== null)){
const err73 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/type",keyword:"type",params:{type: schema30.properties.evidence.type}};
if(vErrors === null){
vErrors = [err73];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err73); }
errors++;
}
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.block_header_rlp === undefined){
const err74 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/required",keyword:"required",params:{missingProperty: "block_header_rlp"}};
if(vErrors === null){
vErrors = [err74];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err74); }
errors++;
}
if(data24.account_proof === undefined){
const err75 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/required",keyword:"required",params:{missingProperty: "account_proof"}};
if(vErrors === null){
vErrors = [err75];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err75); }
errors++;
}
if(data24.storage_proof === undefined){
const err76 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/required",keyword:"required",params:{missingProperty: "storage_proof"}};
if(vErrors === null){
vErrors = [err76];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err76); }
errors++;
}
for(const key3 in data24){
if(!(((key3 === "block_header_rlp") || (key3 === "account_proof")) || (key3 === "storage_proof"))){
const err77 = {instancePath:instancePath+"/evidence",schemaPath:"#/properties/evidence/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err77];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err77); }
errors++;
}
}
if(data24.block_header_rlp !== undefined){
let data25 = data24.block_header_rlp;
if(typeof data25 === "string"){
if(!(formats32(data25))){
const err78 = {instancePath:instancePath+"/evidence/block_header_rlp",schemaPath:"#/properties/evidence/properties/block_header_rlp/format",keyword:"format",params:{format: "hex"}};
if(vErrors === null){
vErrors = [err78];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err78); }
errors++;
}
}
else {
const err79 = {instancePath:instancePath+"/evidence/block_header_rlp",schemaPath:"#/properties/evidence/properties/block_header_rlp/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err79];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err79); }
errors++;
}
}
if(data24.account_proof !== undefined){
let data26 = data24.account_proof;
if(Array.isArray(data26)){
const len2 = data26.length;
for(let i2=0; i2<len2; i2++){
let data27 = data26[i2];
if(typeof data27 === "string"){
if(!(formats32(data27))){
const err80 = {instancePath:instancePath+"/evidence/account_proof/" + i2,schemaPath:"#/properties/evidence/properties/account_proof/items/format",keyword:"format",params:{format: "hex"}};
if(vErrors === null){
vErrors = [err80];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err80); }
errors++;
}
}
else {
const err81 = {instancePath:instancePath+"/evidence/account_proof/" + i2,schemaPath:"#/properties/evidence/properties/account_proof/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err81];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err81); }
errors++;
}
}
}
else {
const err82 = {instancePath:instancePath+"/evidence/account_proof",schemaPath:"#/properties/evidence/properties/account_proof/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err82];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err82); }
errors++;
}
}
if(data24.storage_proof !== undefined){
let data28 = data24.storage_proof;
if(Array.isArray(data28)){
const len3 = data28.length;
for(let i3=0; i3<len3; i3++){
let data29 = data28[i3];
if(typeof data29 === "string"){
if(!(formats32(data29))){
const err83 = {instancePath:instancePath+"/evidence/storage_proof/" + i3,schemaPath:"#/properties/evidence/properties/storage_proof/items/format",keyword:"format",params:{format: "hex"}};
if(vErrors === null){
vErrors = [err83];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err83); }
errors++;
}
}
else {
const err84 = {instancePath:instancePath+"/evidence/storage_proof/" + i3,schemaPath:"#/properties/evidence/properties/storage_proof/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err84];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err84); }
errors++;
}
}
}
else {
const err85 = {instancePath:instancePath+"/evidence/storage_proof",schemaPath:"#/properties/evidence/properties/storage_proof/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err85];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err85); }
errors++;
}
}
}
}
}
else {
const err86 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err86];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err86); }
errors++;
}
validate69.errors = vErrors;
return errors === 0;
}
validate69.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const anchor_consistency = validate70;
const schema31 = {"type":"object","required":["from_anchor","to_anchor","consistency_path"],"properties":{"from_anchor":{"$ref":"anchor"},"to_anchor":{"$ref":"anchor"},"consistency_path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"key_hints":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"key_endorsements":{"type":"array","items":{"$ref":"key-endorsement"}}},"$id":"anchor-consistency","additionalProperties":false};

function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="anchor-consistency" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.from_anchor === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "from_anchor"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.to_anchor === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "to_anchor"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.consistency_path === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "consistency_path"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
for(const key0 in data){
if(!(((((key0 === "from_anchor") || (key0 === "to_anchor")) || (key0 === "consistency_path")) || (key0 === "key_hints")) || (key0 === "key_endorsements"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
}
if(data.from_anchor !== undefined){
if(!(validate69(data.from_anchor, {instancePath:instancePath+"/from_anchor",parentData:data,parentDataProperty:"from_anchor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : joined(vErrors, validate69.errors);
errors = vErrors.length;
}
}
if(data.to_anchor !== undefined){
if(!(validate69(data.to_anchor, {instancePath:instancePath+"/to_anchor",parentData:data,parentDataProperty:"to_anchor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : joined(vErrors, validate69.errors);
errors = vErrors.length;
}
}
if(data.consistency_path !== undefined){
let data2 = data.consistency_path;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err4 = {instancePath:instancePath+"/consistency_path/" + i0,schemaPath:"#/properties/consistency_path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/consistency_path/" + i0,schemaPath:"#/properties/consistency_path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/consistency_path",schemaPath:"#/properties/consistency_path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
if(data.key_hints !== undefined){
let data4 = data.key_hints;
if(Array.isArray(data4)){
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
let data5 = data4[i1];
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.kid === undefined){
const err7 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data5.public_key_hex === undefined){
const err8 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
for(const key1 in data5){
if(!((key1 === "kid") || (key1 === "public_key_hex"))){
const err9 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
if(data5.kid !== undefined){
let data6 = data5.kid;
if(typeof data6 === "string"){
if(!pattern10.test(data6)){
const err10 = {instancePath:instancePath+"/key_hints/" + i1+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/key_hints/" + i1+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
if(data5.public_key_hex !== undefined){
let data7 = data5.public_key_hex;
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err12 = {instancePath:instancePath+"/key_hints/" + i1+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/key_hints/" + i1+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/key_hints/" + i1,schemaPath:"#/properties/key_hints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/key_hints",schemaPath:"#/properties/key_hints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
if(data.key_endorsements !== undefined){
let data8 = data.key_endorsements;
if(Array.isArray(data8)){
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
if(!(validate56(data8[i2], {instancePath:instancePath+"/key_endorsements/" + i2,parentData:data8,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : joined(vErrors, validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err16 = {instancePath:instancePath+"/key_endorsements",schemaPath:"#/properties/key_endorsements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}
validate70.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const fork = validate74;
const schema32 = {"type":"object","required":["fork_id","stream_id","kind","left","right","divergence","detected_at"],"properties":{"fork_id":{"type":"string","pattern":"^frk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"frk_ and a lowercase ULID"},"stream_id":{"type":["string","null"],"pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID, or null"},"kind":{"enum":["head","chain","leaf","window","checkpoint","note","epoch","witness","omission"],"description":"one of head, chain, leaf, window, checkpoint, note, epoch, witness, omission"},"left":{"type":["object","string"]},"right":{"type":["object","string"]},"divergence":{"type":["object","null"],"required":["index","left_hash","left_path","right_hash","right_path"],"properties":{"index":{"type":"integer","minimum":0,"maximum":9007199254740991},"left_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"left_path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"right_hash":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"right_path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}}},"additionalProperties":false},"policy":{"$ref":"policy"},"detected_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"key_hints":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"key_endorsements":{"type":"array","items":{"$ref":"key-endorsement"}}},"$id":"fork","additionalProperties":false};
const pattern85 = new RegExp("^frk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");

function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="fork" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate74.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.fork_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "fork_id"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.stream_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.kind === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.left === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "left"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.right === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "right"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if(data.divergence === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "divergence"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
if(data.detected_at === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "detected_at"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema32.properties, key0))){
const err7 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
if(data.fork_id !== undefined){
let data0 = data.fork_id;
if(typeof data0 === "string"){
if(!pattern85.test(data0)){
const err8 = {instancePath:instancePath+"/fork_id",schemaPath:"#/properties/fork_id/pattern",keyword:"pattern",params:{pattern: "^frk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/fork_id",schemaPath:"#/properties/fork_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
if(data.stream_id !== undefined){
let data1 = data.stream_id;
if((typeof data1 !== "string") && (data1 !== null)){
const err10 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/type",keyword:"type",params:{type: schema32.properties.stream_id.type}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
const err11 = {instancePath:instancePath+"/stream_id",schemaPath:"#/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
}
if(data.kind !== undefined){
let data2 = data.kind;
if(!(((((((((data2 === "head") || (data2 === "chain")) || (data2 === "leaf")) || (data2 === "window")) || (data2 === "checkpoint")) || (data2 === "note")) || (data2 === "epoch")) || (data2 === "witness")) || (data2 === "omission"))){
const err12 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/enum",keyword:"enum",params:{allowedValues: schema32.properties.kind.enum}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
if(data.left !== undefined){
let data3 = data.left;
if((!(data3 && typeof data3 == "object" && !Array.isArray(data3))) && (typeof data3 !== "string")){
const err13 = {instancePath:instancePath+"/left",schemaPath:"#/properties/left/type",keyword:"type",params:{type: schema32.properties.left.type}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
if(data.right !== undefined){
let data4 = data.right;
if((!(data4 && typeof data4 == "object" && !Array.isArray(data4))) && (typeof data4 !== "string")){
const err14 = {instancePath:instancePath+"/right",schemaPath:"#/properties/right/type",keyword:"type",params:{type: schema32.properties.right.type}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
if(data.divergence !== undefined){
let data5 = data.divergence;
if((!(data5 && typeof data5 == "object" && !Array.isArray(data5))) && (data5 !== null)){
const err15 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/type",keyword:"type",params:{type: schema32.properties.divergence.type}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.index === undefined){
const err16 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/required",keyword:"required",params:{missingProperty: "index"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
if(data5.left_hash === undefined){
const err17 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/required",keyword:"required",params:{missingProperty: "left_hash"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
if(data5.left_path === undefined){
const err18 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/required",keyword:"required",params:{missingProperty: "left_path"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
if(data5.right_hash === undefined){
const err19 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/required",keyword:"required",params:{missingProperty: "right_hash"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
if(data5.right_path === undefined){
const err20 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/required",keyword:"required",params:{missingProperty: "right_path"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
for(const key1 in data5){
if(!(((((key1 === "index") || (key1 === "left_hash")) || (key1 === "left_path")) || (key1 === "right_hash")) || (key1 === "right_path"))){
const err21 = {instancePath:instancePath+"/divergence",schemaPath:"#/properties/divergence/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
if(data5.index !== undefined){
let data6 = data5.index;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err22 = {instancePath:instancePath+"/divergence/index",schemaPath:"#/properties/divergence/properties/index/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
const err23 = {instancePath:instancePath+"/divergence/index",schemaPath:"#/properties/divergence/properties/index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
if(data6 < 0 || isNaN(data6)){
const err24 = {instancePath:instancePath+"/divergence/index",schemaPath:"#/properties/divergence/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
}
if(data5.left_hash !== undefined){
let data7 = data5.left_hash;
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
const err25 = {instancePath:instancePath+"/divergence/left_hash",schemaPath:"#/properties/divergence/properties/left_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/divergence/left_hash",schemaPath:"#/properties/divergence/properties/left_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
if(data5.left_path !== undefined){
let data8 = data5.left_path;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
let data9 = data8[i0];
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err27 = {instancePath:instancePath+"/divergence/left_path/" + i0,schemaPath:"#/properties/divergence/properties/left_path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/divergence/left_path/" + i0,schemaPath:"#/properties/divergence/properties/left_path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/divergence/left_path",schemaPath:"#/properties/divergence/properties/left_path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
if(data5.right_hash !== undefined){
let data10 = data5.right_hash;
if(typeof data10 === "string"){
if(!pattern6.test(data10)){
const err30 = {instancePath:instancePath+"/divergence/right_hash",schemaPath:"#/properties/divergence/properties/right_hash/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/divergence/right_hash",schemaPath:"#/properties/divergence/properties/right_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
}
if(data5.right_path !== undefined){
let data11 = data5.right_path;
if(Array.isArray(data11)){
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
let data12 = data11[i1];
if(typeof data12 === "string"){
if(!pattern6.test(data12)){
const err32 = {instancePath:instancePath+"/divergence/right_path/" + i1,schemaPath:"#/properties/divergence/properties/right_path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/divergence/right_path/" + i1,schemaPath:"#/properties/divergence/properties/right_path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/divergence/right_path",schemaPath:"#/properties/divergence/properties/right_path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
}
}
if(data.policy !== undefined){
if(!(validate67(data.policy, {instancePath:instancePath+"/policy",parentData:data,parentDataProperty:"policy",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : joined(vErrors, validate67.errors);
errors = vErrors.length;
}
}
if(data.detected_at !== undefined){
let data14 = data.detected_at;
if(typeof data14 === "string"){
if(!(formats4(data14))){
const err35 = {instancePath:instancePath+"/detected_at",schemaPath:"#/properties/detected_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/detected_at",schemaPath:"#/properties/detected_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
}
if(data.key_hints !== undefined){
let data15 = data.key_hints;
if(Array.isArray(data15)){
const len2 = data15.length;
for(let i2=0; i2<len2; i2++){
let data16 = data15[i2];
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
if(data16.kid === undefined){
const err37 = {instancePath:instancePath+"/key_hints/" + i2,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(data16.public_key_hex === undefined){
const err38 = {instancePath:instancePath+"/key_hints/" + i2,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
for(const key2 in data16){
if(!((key2 === "kid") || (key2 === "public_key_hex"))){
const err39 = {instancePath:instancePath+"/key_hints/" + i2,schemaPath:"#/properties/key_hints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
if(data16.kid !== undefined){
let data17 = data16.kid;
if(typeof data17 === "string"){
if(!pattern10.test(data17)){
const err40 = {instancePath:instancePath+"/key_hints/" + i2+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/key_hints/" + i2+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
}
if(data16.public_key_hex !== undefined){
let data18 = data16.public_key_hex;
if(typeof data18 === "string"){
if(!pattern6.test(data18)){
const err42 = {instancePath:instancePath+"/key_hints/" + i2+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/key_hints/" + i2+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
}
}
else {
const err44 = {instancePath:instancePath+"/key_hints/" + i2,schemaPath:"#/properties/key_hints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/key_hints",schemaPath:"#/properties/key_hints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
if(data.key_endorsements !== undefined){
let data19 = data.key_endorsements;
if(Array.isArray(data19)){
const len3 = data19.length;
for(let i3=0; i3<len3; i3++){
if(!(validate56(data19[i3], {instancePath:instancePath+"/key_endorsements/" + i3,parentData:data19,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : joined(vErrors, validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err46 = {instancePath:instancePath+"/key_endorsements",schemaPath:"#/properties/key_endorsements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
}
else {
const err47 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
validate74.errors = vErrors;
return errors === 0;
}
validate74.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const bundle = validate77;
const schema33 = {"type":"object","required":["manifest","artifacts","key_hints","key_endorsements","seal"],"properties":{"manifest":{"type":"object","required":["bundle_id","protocol","created_at","stream_id","from_seq_no","to_seq_no","artifact_hashes","prior_windows"],"properties":{"bundle_id":{"type":"string","pattern":"^bundle_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"bundle_ and a lowercase ULID"},"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"created_at":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"from_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"to_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"artifact_hashes":{"type":"object","required":["receipts.json","windows.json","checkpoints.json","witnesses.json","anchors.json"],"properties":{"receipts.json":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"windows.json":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"checkpoints.json":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"witnesses.json":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"anchors.json":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"forks.json":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false},"prior_windows":{"type":"object","required":["window_count","frontier"],"properties":{"window_count":{"type":"integer","minimum":0,"maximum":9007199254740991},"frontier":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}}},"additionalProperties":false}},"additionalProperties":false},"artifacts":{"type":"object","required":["receipts.json","windows.json","checkpoints.json","witnesses.json","anchors.json"],"properties":{"receipts.json":{"type":"array","items":{"$ref":"redacted-record"}},"windows.json":{"type":"array","items":{"$ref":"window"}},"checkpoints.json":{"type":"array","items":{"$ref":"checkpoint"}},"witnesses.json":{"type":"object","required":["policies","witness_policies","statements"],"properties":{"policies":{"type":"array","items":{"$ref":"policy"}},"witness_policies":{"type":"array","items":{"$ref":"witness-policy"}},"statements":{"type":"array","items":{"$ref":"witness-statement"}}},"additionalProperties":false},"anchors.json":{"type":"array","items":{"$ref":"anchor"}},"forks.json":{"type":"array","items":{"$ref":"fork"},"minItems":1}},"additionalProperties":false},"payloads":{"type":"object","propertyNames":{"type":"string","pattern":"^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"sev_ and a lowercase ULID"},"additionalProperties":{"type":"object","required":["payload","payload_salt"],"properties":{"payload":{"type":"object"},"payload_salt":{"type":"string","pattern":"^[0-9a-f]{32}$","description":"32 lowercase hex characters"}},"additionalProperties":false}},"key_hints":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"key_endorsements":{"type":"array","items":{"$ref":"key-endorsement"}},"seal":{"type":"object","required":["protocol","alg","kid","signature"],"properties":{"protocol":{"type":"string","const":"SVC-PROOFSTREAM-001"},"alg":{"type":"string","const":"Ed25519"},"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"signature":{"type":"string","pattern":"^[0-9a-f]{128}$","description":"128 lowercase hex characters"}},"additionalProperties":false}},"$id":"bundle","additionalProperties":false};
const pattern93 = new RegExp("^bundle_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$", "u");

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="bundle" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.manifest === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "manifest"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.artifacts === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "artifacts"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.key_hints === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key_hints"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data.key_endorsements === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "key_endorsements"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
if(data.seal === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seal"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
for(const key0 in data){
if(!((((((key0 === "manifest") || (key0 === "artifacts")) || (key0 === "payloads")) || (key0 === "key_hints")) || (key0 === "key_endorsements")) || (key0 === "seal"))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
}
if(data.manifest !== undefined){
let data0 = data.manifest;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.bundle_id === undefined){
const err6 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "bundle_id"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(data0.protocol === undefined){
const err7 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
if(data0.created_at === undefined){
const err8 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "created_at"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data0.stream_id === undefined){
const err9 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data0.from_seq_no === undefined){
const err10 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "from_seq_no"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
if(data0.to_seq_no === undefined){
const err11 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "to_seq_no"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
if(data0.artifact_hashes === undefined){
const err12 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "artifact_hashes"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if(data0.prior_windows === undefined){
const err13 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/required",keyword:"required",params:{missingProperty: "prior_windows"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
for(const key1 in data0){
if(!((((((((key1 === "bundle_id") || (key1 === "protocol")) || (key1 === "created_at")) || (key1 === "stream_id")) || (key1 === "from_seq_no")) || (key1 === "to_seq_no")) || (key1 === "artifact_hashes")) || (key1 === "prior_windows"))){
const err14 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
if(data0.bundle_id !== undefined){
let data1 = data0.bundle_id;
if(typeof data1 === "string"){
if(!pattern93.test(data1)){
const err15 = {instancePath:instancePath+"/manifest/bundle_id",schemaPath:"#/properties/manifest/properties/bundle_id/pattern",keyword:"pattern",params:{pattern: "^bundle_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/manifest/bundle_id",schemaPath:"#/properties/manifest/properties/bundle_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
if(data0.protocol !== undefined){
let data2 = data0.protocol;
if(typeof data2 !== "string"){
const err17 = {instancePath:instancePath+"/manifest/protocol",schemaPath:"#/properties/manifest/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data2){
const err18 = {instancePath:instancePath+"/manifest/protocol",schemaPath:"#/properties/manifest/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
if(data0.created_at !== undefined){
let data3 = data0.created_at;
if(typeof data3 === "string"){
if(!(formats4(data3))){
const err19 = {instancePath:instancePath+"/manifest/created_at",schemaPath:"#/properties/manifest/properties/created_at/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/manifest/created_at",schemaPath:"#/properties/manifest/properties/created_at/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
if(data0.stream_id !== undefined){
let data4 = data0.stream_id;
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
const err21 = {instancePath:instancePath+"/manifest/stream_id",schemaPath:"#/properties/manifest/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/manifest/stream_id",schemaPath:"#/properties/manifest/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
}
if(data0.from_seq_no !== undefined){
let data5 = data0.from_seq_no;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err23 = {instancePath:instancePath+"/manifest/from_seq_no",schemaPath:"#/properties/manifest/properties/from_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 9007199254740991 || isNaN(data5)){
const err24 = {instancePath:instancePath+"/manifest/from_seq_no",schemaPath:"#/properties/manifest/properties/from_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
if(data5 < 1 || isNaN(data5)){
const err25 = {instancePath:instancePath+"/manifest/from_seq_no",schemaPath:"#/properties/manifest/properties/from_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
}
if(data0.to_seq_no !== undefined){
let data6 = data0.to_seq_no;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err26 = {instancePath:instancePath+"/manifest/to_seq_no",schemaPath:"#/properties/manifest/properties/to_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
const err27 = {instancePath:instancePath+"/manifest/to_seq_no",schemaPath:"#/properties/manifest/properties/to_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
if(data6 < 1 || isNaN(data6)){
const err28 = {instancePath:instancePath+"/manifest/to_seq_no",schemaPath:"#/properties/manifest/properties/to_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
}
if(data0.artifact_hashes !== undefined){
let data7 = data0.artifact_hashes;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7["receipts.json"] === undefined){
const err29 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/required",keyword:"required",params:{missingProperty: "receipts.json"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
if(data7["windows.json"] === undefined){
const err30 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/required",keyword:"required",params:{missingProperty: "windows.json"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
if(data7["checkpoints.json"] === undefined){
const err31 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/required",keyword:"required",params:{missingProperty: "checkpoints.json"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
if(data7["witnesses.json"] === undefined){
const err32 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/required",keyword:"required",params:{missingProperty: "witnesses.json"}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
if(data7["anchors.json"] === undefined){
const err33 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/required",keyword:"required",params:{missingProperty: "anchors.json"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
for(const key2 in data7){
if(!((((((key2 === "receipts.json") || (key2 === "windows.json")) || (key2 === "checkpoints.json")) || (key2 === "witnesses.json")) || (key2 === "anchors.json")) || (key2 === "forks.json"))){
const err34 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
if(data7["receipts.json"] !== undefined){
let data8 = data7["receipts.json"];
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
const err35 = {instancePath:instancePath+"/manifest/artifact_hashes/receipts.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/receipts.json/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/manifest/artifact_hashes/receipts.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/receipts.json/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
}
if(data7["windows.json"] !== undefined){
let data9 = data7["windows.json"];
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err37 = {instancePath:instancePath+"/manifest/artifact_hashes/windows.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/windows.json/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/manifest/artifact_hashes/windows.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/windows.json/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
}
if(data7["checkpoints.json"] !== undefined){
let data10 = data7["checkpoints.json"];
if(typeof data10 === "string"){
if(!pattern6.test(data10)){
const err39 = {instancePath:instancePath+"/manifest/artifact_hashes/checkpoints.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/checkpoints.json/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/manifest/artifact_hashes/checkpoints.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/checkpoints.json/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
if(data7["witnesses.json"] !== undefined){
let data11 = data7["witnesses.json"];
if(typeof data11 === "string"){
if(!pattern6.test(data11)){
const err41 = {instancePath:instancePath+"/manifest/artifact_hashes/witnesses.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/witnesses.json/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/manifest/artifact_hashes/witnesses.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/witnesses.json/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
}
if(data7["anchors.json"] !== undefined){
let data12 = data7["anchors.json"];
if(typeof data12 === "string"){
if(!pattern6.test(data12)){
const err43 = {instancePath:instancePath+"/manifest/artifact_hashes/anchors.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/anchors.json/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
}
else {
const err44 = {instancePath:instancePath+"/manifest/artifact_hashes/anchors.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/anchors.json/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
if(data7["forks.json"] !== undefined){
let data13 = data7["forks.json"];
if(typeof data13 === "string"){
if(!pattern6.test(data13)){
const err45 = {instancePath:instancePath+"/manifest/artifact_hashes/forks.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/forks.json/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/manifest/artifact_hashes/forks.json",schemaPath:"#/properties/manifest/properties/artifact_hashes/properties/forks.json/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
}
else {
const err47 = {instancePath:instancePath+"/manifest/artifact_hashes",schemaPath:"#/properties/manifest/properties/artifact_hashes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
}
if(data0.prior_windows !== undefined){
let data14 = data0.prior_windows;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.window_count === undefined){
const err48 = {instancePath:instancePath+"/manifest/prior_windows",schemaPath:"#/properties/manifest/properties/prior_windows/required",keyword:"required",params:{missingProperty: "window_count"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
if(data14.frontier === undefined){
const err49 = {instancePath:instancePath+"/manifest/prior_windows",schemaPath:"#/properties/manifest/properties/prior_windows/required",keyword:"required",params:{missingProperty: "frontier"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
for(const key3 in data14){
if(!((key3 === "window_count") || (key3 === "frontier"))){
const err50 = {instancePath:instancePath+"/manifest/prior_windows",schemaPath:"#/properties/manifest/properties/prior_windows/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
if(data14.window_count !== undefined){
let data15 = data14.window_count;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err51 = {instancePath:instancePath+"/manifest/prior_windows/window_count",schemaPath:"#/properties/manifest/properties/prior_windows/properties/window_count/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 9007199254740991 || isNaN(data15)){
const err52 = {instancePath:instancePath+"/manifest/prior_windows/window_count",schemaPath:"#/properties/manifest/properties/prior_windows/properties/window_count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
if(data15 < 0 || isNaN(data15)){
const err53 = {instancePath:instancePath+"/manifest/prior_windows/window_count",schemaPath:"#/properties/manifest/properties/prior_windows/properties/window_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
}
}
if(data14.frontier !== undefined){
let data16 = data14.frontier;
if(Array.isArray(data16)){
const len0 = data16.length;
for(let i0=0; i0<len0; i0++){
let data17 = data16[i0];
if(typeof data17 === "string"){
if(!pattern6.test(data17)){
const err54 = {instancePath:instancePath+"/manifest/prior_windows/frontier/" + i0,schemaPath:"#/properties/manifest/properties/prior_windows/properties/frontier/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err54];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err54); }
errors++;
}
}
else {
const err55 = {instancePath:instancePath+"/manifest/prior_windows/frontier/" + i0,schemaPath:"#/properties/manifest/properties/prior_windows/properties/frontier/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err55];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err55); }
errors++;
}
}
}
else {
const err56 = {instancePath:instancePath+"/manifest/prior_windows/frontier",schemaPath:"#/properties/manifest/properties/prior_windows/properties/frontier/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err56];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err56); }
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/manifest/prior_windows",schemaPath:"#/properties/manifest/properties/prior_windows/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err57];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err57); }
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/manifest",schemaPath:"#/properties/manifest/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err58];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err58); }
errors++;
}
}
if(data.artifacts !== undefined){
let data18 = data.artifacts;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18["receipts.json"] === undefined){
const err59 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/required",keyword:"required",params:{missingProperty: "receipts.json"}};
if(vErrors === null){
vErrors = [err59];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err59); }
errors++;
}
if(data18["windows.json"] === undefined){
const err60 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/required",keyword:"required",params:{missingProperty: "windows.json"}};
if(vErrors === null){
vErrors = [err60];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err60); }
errors++;
}
if(data18["checkpoints.json"] === undefined){
const err61 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/required",keyword:"required",params:{missingProperty: "checkpoints.json"}};
if(vErrors === null){
vErrors = [err61];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err61); }
errors++;
}
if(data18["witnesses.json"] === undefined){
const err62 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/required",keyword:"required",params:{missingProperty: "witnesses.json"}};
if(vErrors === null){
vErrors = [err62];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err62); }
errors++;
}
if(data18["anchors.json"] === undefined){
const err63 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/required",keyword:"required",params:{missingProperty: "anchors.json"}};
if(vErrors === null){
vErrors = [err63];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err63); }
errors++;
}
for(const key4 in data18){
if(!((((((key4 === "receipts.json") || (key4 === "windows.json")) || (key4 === "checkpoints.json")) || (key4 === "witnesses.json")) || (key4 === "anchors.json")) || (key4 === "forks.json"))){
const err64 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err64];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err64); }
errors++;
}
}
if(data18["receipts.json"] !== undefined){
let data19 = data18["receipts.json"];
if(Array.isArray(data19)){
const len1 = data19.length;
for(let i1=0; i1<len1; i1++){
if(!(validate53(data19[i1], {instancePath:instancePath+"/artifacts/receipts.json/" + i1,parentData:data19,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : joined(vErrors, validate53.errors);
errors = vErrors.length;
}
}
}
else {
const err65 = {instancePath:instancePath+"/artifacts/receipts.json",schemaPath:"#/properties/artifacts/properties/receipts.json/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err65];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err65); }
errors++;
}
}
if(data18["windows.json"] !== undefined){
let data21 = data18["windows.json"];
if(Array.isArray(data21)){
const len2 = data21.length;
for(let i2=0; i2<len2; i2++){
if(!(validate58(data21[i2], {instancePath:instancePath+"/artifacts/windows.json/" + i2,parentData:data21,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : joined(vErrors, validate58.errors);
errors = vErrors.length;
}
}
}
else {
const err66 = {instancePath:instancePath+"/artifacts/windows.json",schemaPath:"#/properties/artifacts/properties/windows.json/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err66];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err66); }
errors++;
}
}
if(data18["checkpoints.json"] !== undefined){
let data23 = data18["checkpoints.json"];
if(Array.isArray(data23)){
const len3 = data23.length;
for(let i3=0; i3<len3; i3++){
if(!(validate61(data23[i3], {instancePath:instancePath+"/artifacts/checkpoints.json/" + i3,parentData:data23,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : joined(vErrors, validate61.errors);
errors = vErrors.length;
}
}
}
else {
const err67 = {instancePath:instancePath+"/artifacts/checkpoints.json",schemaPath:"#/properties/artifacts/properties/checkpoints.json/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err67];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err67); }
errors++;
}
}
if(data18["witnesses.json"] !== undefined){
let data25 = data18["witnesses.json"];
if(data25 && typeof data25 == "object" && !Array.isArray(data25)){
if(data25.policies === undefined){
const err68 = {instancePath:instancePath+"/artifacts/witnesses.json",schemaPath:"#/properties/artifacts/properties/witnesses.json/required",keyword:"required",params:{missingProperty: "policies"}};
if(vErrors === null){
vErrors = [err68];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err68); }
errors++;
}
if(data25.witness_policies === undefined){
const err69 = {instancePath:instancePath+"/artifacts/witnesses.json",schemaPath:"#/properties/artifacts/properties/witnesses.json/required",keyword:"required",params:{missingProperty: "witness_policies"}};
if(vErrors === null){
vErrors = [err69];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err69); }
errors++;
}
if(data25.statements === undefined){
const err70 = {instancePath:instancePath+"/artifacts/witnesses.json",schemaPath:"#/properties/artifacts/properties/witnesses.json/required",keyword:"required",params:{missingProperty: "statements"}};
if(vErrors === null){
vErrors = [err70];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err70); }
errors++;
}
for(const key5 in data25){
if(!(((key5 === "policies") || (key5 === "witness_policies")) || (key5 === "statements"))){
const err71 = {instancePath:instancePath+"/artifacts/witnesses.json",schemaPath:"#/properties/artifacts/properties/witnesses.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err71];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err71); }
errors++;
}
}
if(data25.policies !== undefined){
let data26 = data25.policies;
if(Array.isArray(data26)){
const len4 = data26.length;
for(let i4=0; i4<len4; i4++){
if(!(validate67(data26[i4], {instancePath:instancePath+"/artifacts/witnesses.json/policies/" + i4,parentData:data26,parentDataProperty:i4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : joined(vErrors, validate67.errors);
errors = vErrors.length;
}
}
}
else {
const err72 = {instancePath:instancePath+"/artifacts/witnesses.json/policies",schemaPath:"#/properties/artifacts/properties/witnesses.json/properties/policies/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err72];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err72); }
errors++;
}
}
if(data25.witness_policies !== undefined){
let data28 = data25.witness_policies;
if(Array.isArray(data28)){
const len5 = data28.length;
for(let i5=0; i5<len5; i5++){
if(!(validate68(data28[i5], {instancePath:instancePath+"/artifacts/witnesses.json/witness_policies/" + i5,parentData:data28,parentDataProperty:i5,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : joined(vErrors, validate68.errors);
errors = vErrors.length;
}
}
}
else {
const err73 = {instancePath:instancePath+"/artifacts/witnesses.json/witness_policies",schemaPath:"#/properties/artifacts/properties/witnesses.json/properties/witness_policies/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err73];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err73); }
errors++;
}
}
if(data25.statements !== undefined){
let data30 = data25.statements;
if(Array.isArray(data30)){
const len6 = data30.length;
for(let i6=0; i6<len6; i6++){
if(!(validate66(data30[i6], {instancePath:instancePath+"/artifacts/witnesses.json/statements/" + i6,parentData:data30,parentDataProperty:i6,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : joined(vErrors, validate66.errors);
errors = vErrors.length;
}
}
}
else {
const err74 = {instancePath:instancePath+"/artifacts/witnesses.json/statements",schemaPath:"#/properties/artifacts/properties/witnesses.json/properties/statements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err74];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err74); }
errors++;
}
}
}
else {
const err75 = {instancePath:instancePath+"/artifacts/witnesses.json",schemaPath:"#/properties/artifacts/properties/witnesses.json/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err75];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err75); }
errors++;
}
}
if(data18["anchors.json"] !== undefined){
let data32 = data18["anchors.json"];
if(Array.isArray(data32)){
const len7 = data32.length;
for(let i7=0; i7<len7; i7++){
if(!(validate69(data32[i7], {instancePath:instancePath+"/artifacts/anchors.json/" + i7,parentData:data32,parentDataProperty:i7,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : joined(vErrors, validate69.errors);
errors = vErrors.length;
}
}
}
else {
const err76 = {instancePath:instancePath+"/artifacts/anchors.json",schemaPath:"#/properties/artifacts/properties/anchors.json/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err76];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err76); }
errors++;
}
}
if(data18["forks.json"] !== undefined){
let data34 = data18["forks.json"];
if(Array.isArray(data34)){
if(data34.length < 1){
const err77 = {instancePath:instancePath+"/artifacts/forks.json",schemaPath:"#/properties/artifacts/properties/forks.json/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err77];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err77); }
errors++;
}
const len8 = data34.length;
for(let i8=0; i8<len8; i8++){
if(!(validate74(data34[i8], {instancePath:instancePath+"/artifacts/forks.json/" + i8,parentData:data34,parentDataProperty:i8,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : joined(vErrors, validate74.errors);
errors = vErrors.length;
}
}
}
else {
const err78 = {instancePath:instancePath+"/artifacts/forks.json",schemaPath:"#/properties/artifacts/properties/forks.json/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err78];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err78); }
errors++;
}
}
}
else {
const err79 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err79];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err79); }
errors++;
}
}
if(data.payloads !== undefined){
let data36 = data.payloads;
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
for(const key6 in data36){
const _errs73 = errors;
if(typeof key6 === "string"){
if(!pattern3.test(key6)){
const err80 = {instancePath:instancePath+"/payloads",schemaPath:"#/properties/payloads/propertyNames/pattern",keyword:"pattern",params:{pattern: "^sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"},propertyName:key6};
if(vErrors === null){
vErrors = [err80];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err80); }
errors++;
}
}
else {
const err81 = {instancePath:instancePath+"/payloads",schemaPath:"#/properties/payloads/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key6};
if(vErrors === null){
vErrors = [err81];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err81); }
errors++;
}
var valid24 = _errs73 === errors;
if(!valid24){
const err82 = {instancePath:instancePath+"/payloads",schemaPath:"#/properties/payloads/propertyNames",keyword:"propertyNames",params:{propertyName: key6}};
if(vErrors === null){
vErrors = [err82];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err82); }
errors++;
}
}
for(const key7 in data36){
let data37 = data36[key7];
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if(data37.payload === undefined){
const err83 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/payloads/additionalProperties/required",keyword:"required",params:{missingProperty: "payload"}};
if(vErrors === null){
vErrors = [err83];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err83); }
errors++;
}
if(data37.payload_salt === undefined){
const err84 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/payloads/additionalProperties/required",keyword:"required",params:{missingProperty: "payload_salt"}};
if(vErrors === null){
vErrors = [err84];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err84); }
errors++;
}
for(const key8 in data37){
if(!((key8 === "payload") || (key8 === "payload_salt"))){
const err85 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/payloads/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err85];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err85); }
errors++;
}
}
if(data37.payload !== undefined){
let data38 = data37.payload;
if(!(data38 && typeof data38 == "object" && !Array.isArray(data38))){
const err86 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/payload",schemaPath:"#/properties/payloads/additionalProperties/properties/payload/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err86];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err86); }
errors++;
}
}
if(data37.payload_salt !== undefined){
let data39 = data37.payload_salt;
if(typeof data39 === "string"){
if(!pattern12.test(data39)){
const err87 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/payload_salt",schemaPath:"#/properties/payloads/additionalProperties/properties/payload_salt/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{32}$"}};
if(vErrors === null){
vErrors = [err87];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err87); }
errors++;
}
}
else {
const err88 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/payload_salt",schemaPath:"#/properties/payloads/additionalProperties/properties/payload_salt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err88];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err88); }
errors++;
}
}
}
else {
const err89 = {instancePath:instancePath+"/payloads/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/payloads/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err89];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err89); }
errors++;
}
}
}
else {
const err90 = {instancePath:instancePath+"/payloads",schemaPath:"#/properties/payloads/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err90];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err90); }
errors++;
}
}
if(data.key_hints !== undefined){
let data40 = data.key_hints;
if(Array.isArray(data40)){
const len9 = data40.length;
for(let i9=0; i9<len9; i9++){
let data41 = data40[i9];
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
if(data41.kid === undefined){
const err91 = {instancePath:instancePath+"/key_hints/" + i9,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err91];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err91); }
errors++;
}
if(data41.public_key_hex === undefined){
const err92 = {instancePath:instancePath+"/key_hints/" + i9,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err92];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err92); }
errors++;
}
for(const key9 in data41){
if(!((key9 === "kid") || (key9 === "public_key_hex"))){
const err93 = {instancePath:instancePath+"/key_hints/" + i9,schemaPath:"#/properties/key_hints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err93];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err93); }
errors++;
}
}
if(data41.kid !== undefined){
let data42 = data41.kid;
if(typeof data42 === "string"){
if(!pattern10.test(data42)){
const err94 = {instancePath:instancePath+"/key_hints/" + i9+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err94];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err94); }
errors++;
}
}
else {
const err95 = {instancePath:instancePath+"/key_hints/" + i9+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err95];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err95); }
errors++;
}
}
if(data41.public_key_hex !== undefined){
let data43 = data41.public_key_hex;
if(typeof data43 === "string"){
if(!pattern6.test(data43)){
const err96 = {instancePath:instancePath+"/key_hints/" + i9+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err96];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err96); }
errors++;
}
}
else {
const err97 = {instancePath:instancePath+"/key_hints/" + i9+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err97];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err97); }
errors++;
}
}
}
else {
const err98 = {instancePath:instancePath+"/key_hints/" + i9,schemaPath:"#/properties/key_hints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err98];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err98); }
errors++;
}
}
}
else {
const err99 = {instancePath:instancePath+"/key_hints",schemaPath:"#/properties/key_hints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err99];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err99); }
errors++;
}
}
if(data.key_endorsements !== undefined){
let data44 = data.key_endorsements;
if(Array.isArray(data44)){
const len10 = data44.length;
for(let i10=0; i10<len10; i10++){
if(!(validate56(data44[i10], {instancePath:instancePath+"/key_endorsements/" + i10,parentData:data44,parentDataProperty:i10,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : joined(vErrors, validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err100 = {instancePath:instancePath+"/key_endorsements",schemaPath:"#/properties/key_endorsements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err100];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err100); }
errors++;
}
}
if(data.seal !== undefined){
let data46 = data.seal;
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
if(data46.protocol === undefined){
const err101 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err101];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err101); }
errors++;
}
if(data46.alg === undefined){
const err102 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "alg"}};
if(vErrors === null){
vErrors = [err102];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err102); }
errors++;
}
if(data46.kid === undefined){
const err103 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err103];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err103); }
errors++;
}
if(data46.signature === undefined){
const err104 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/required",keyword:"required",params:{missingProperty: "signature"}};
if(vErrors === null){
vErrors = [err104];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err104); }
errors++;
}
for(const key10 in data46){
if(!((((key10 === "protocol") || (key10 === "alg")) || (key10 === "kid")) || (key10 === "signature"))){
const err105 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err105];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err105); }
errors++;
}
}
if(data46.protocol !== undefined){
let data47 = data46.protocol;
if(typeof data47 !== "string"){
const err106 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err106];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err106); }
errors++;
}
if("SVC-PROOFSTREAM-001" !== data47){
const err107 = {instancePath:instancePath+"/seal/protocol",schemaPath:"#/properties/seal/properties/protocol/const",keyword:"const",params:{allowedValue: "SVC-PROOFSTREAM-001"}};
if(vErrors === null){
vErrors = [err107];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err107); }
errors++;
}
}
if(data46.alg !== undefined){
let data48 = data46.alg;
if(typeof data48 !== "string"){
const err108 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err108];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err108); }
errors++;
}
if("Ed25519" !== data48){
const err109 = {instancePath:instancePath+"/seal/alg",schemaPath:"#/properties/seal/properties/alg/const",keyword:"const",params:{allowedValue: "Ed25519"}};
if(vErrors === null){
vErrors = [err109];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err109); }
errors++;
}
}
if(data46.kid !== undefined){
let data49 = data46.kid;
if(typeof data49 === "string"){
if(!pattern10.test(data49)){
const err110 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err110];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err110); }
errors++;
}
}
else {
const err111 = {instancePath:instancePath+"/seal/kid",schemaPath:"#/properties/seal/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err111];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err111); }
errors++;
}
}
if(data46.signature !== undefined){
let data50 = data46.signature;
if(typeof data50 === "string"){
if(!pattern11.test(data50)){
const err112 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{128}$"}};
if(vErrors === null){
vErrors = [err112];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err112); }
errors++;
}
}
else {
const err113 = {instancePath:instancePath+"/seal/signature",schemaPath:"#/properties/seal/properties/signature/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err113];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err113); }
errors++;
}
}
}
else {
const err114 = {instancePath:instancePath+"/seal",schemaPath:"#/properties/seal/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err114];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err114); }
errors++;
}
}
}
else {
const err115 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err115];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err115); }
errors++;
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const portable_receipt = validate87;
const schema34 = {"type":"object","required":["format","version","receipt"],"properties":{"format":{"type":"string","const":"svc-portable-receipt"},"version":{"type":"number","const":1},"receipt":{"$ref":"receipt-record"},"inclusion":{"$ref":"inclusion"},"window":{"$ref":"window"},"checkpoint_inclusion":{"type":"object","required":["window_no","window_count","path"],"properties":{"window_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"window_count":{"type":"integer","minimum":1,"maximum":9007199254740991},"path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}}},"additionalProperties":false},"checkpoint":{"$ref":"checkpoint"},"last_window":{"type":"object","required":["window","path"],"properties":{"window":{"$ref":"window"},"path":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}}},"additionalProperties":false},"witnesses":{"type":"object","required":["policies","witness_policies","statements"],"properties":{"policies":{"type":"array","items":{"$ref":"policy"}},"witness_policies":{"type":"array","items":{"$ref":"witness-policy"}},"statements":{"type":"array","items":{"$ref":"witness-statement"}}},"additionalProperties":false},"anchor":{"$ref":"anchor"},"key_hints":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"key_endorsements":{"type":"array","items":{"$ref":"key-endorsement"}}},"$id":"portable-receipt","dependentRequired":{"inclusion":["inclusion","window"],"window":["inclusion","window"],"checkpoint_inclusion":["inclusion","window","checkpoint_inclusion","checkpoint"],"checkpoint":["inclusion","window","checkpoint_inclusion","checkpoint"],"last_window":["inclusion","window","checkpoint_inclusion","checkpoint"],"witnesses":["inclusion","window","checkpoint_inclusion","checkpoint"],"anchor":["inclusion","window","checkpoint_inclusion","checkpoint","witnesses"]},"additionalProperties":false};

function validate87(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="portable-receipt" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate87.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.format === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "format"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
if(data.version === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
if(data.receipt === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "receipt"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema34.properties, key0))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
}
if(data.format !== undefined){
let data0 = data.format;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/format",schemaPath:"#/properties/format/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
if("svc-portable-receipt" !== data0){
const err5 = {instancePath:instancePath+"/format",schemaPath:"#/properties/format/const",keyword:"const",params:{allowedValue: "svc-portable-receipt"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
}
if(data.version !== undefined){
let data1 = data.version;
if(!((typeof data1 == "number") && (isFinite(data1)))){
const err6 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
if(1 !== data1){
const err7 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/const",keyword:"const",params:{allowedValue: 1}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
if(data.receipt !== undefined){
if(!(validate52(data.receipt, {instancePath:instancePath+"/receipt",parentData:data,parentDataProperty:"receipt",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate52.errors : joined(vErrors, validate52.errors);
errors = vErrors.length;
}
}
if(data.inclusion !== undefined){
if(!(validate59(data.inclusion, {instancePath:instancePath+"/inclusion",parentData:data,parentDataProperty:"inclusion",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : joined(vErrors, validate59.errors);
errors = vErrors.length;
}
}
if(data.window !== undefined){
if(!(validate58(data.window, {instancePath:instancePath+"/window",parentData:data,parentDataProperty:"window",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : joined(vErrors, validate58.errors);
errors = vErrors.length;
}
}
if(data.checkpoint_inclusion !== undefined){
let data5 = data.checkpoint_inclusion;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.window_no === undefined){
const err8 = {instancePath:instancePath+"/checkpoint_inclusion",schemaPath:"#/properties/checkpoint_inclusion/required",keyword:"required",params:{missingProperty: "window_no"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
if(data5.window_count === undefined){
const err9 = {instancePath:instancePath+"/checkpoint_inclusion",schemaPath:"#/properties/checkpoint_inclusion/required",keyword:"required",params:{missingProperty: "window_count"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
if(data5.path === undefined){
const err10 = {instancePath:instancePath+"/checkpoint_inclusion",schemaPath:"#/properties/checkpoint_inclusion/required",keyword:"required",params:{missingProperty: "path"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
for(const key1 in data5){
if(!(((key1 === "window_no") || (key1 === "window_count")) || (key1 === "path"))){
const err11 = {instancePath:instancePath+"/checkpoint_inclusion",schemaPath:"#/properties/checkpoint_inclusion/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
if(data5.window_no !== undefined){
let data6 = data5.window_no;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err12 = {instancePath:instancePath+"/checkpoint_inclusion/window_no",schemaPath:"#/properties/checkpoint_inclusion/properties/window_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
const err13 = {instancePath:instancePath+"/checkpoint_inclusion/window_no",schemaPath:"#/properties/checkpoint_inclusion/properties/window_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
if(data6 < 1 || isNaN(data6)){
const err14 = {instancePath:instancePath+"/checkpoint_inclusion/window_no",schemaPath:"#/properties/checkpoint_inclusion/properties/window_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
}
if(data5.window_count !== undefined){
let data7 = data5.window_count;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err15 = {instancePath:instancePath+"/checkpoint_inclusion/window_count",schemaPath:"#/properties/checkpoint_inclusion/properties/window_count/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254740991 || isNaN(data7)){
const err16 = {instancePath:instancePath+"/checkpoint_inclusion/window_count",schemaPath:"#/properties/checkpoint_inclusion/properties/window_count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
if(data7 < 1 || isNaN(data7)){
const err17 = {instancePath:instancePath+"/checkpoint_inclusion/window_count",schemaPath:"#/properties/checkpoint_inclusion/properties/window_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
}
if(data5.path !== undefined){
let data8 = data5.path;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
let data9 = data8[i0];
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err18 = {instancePath:instancePath+"/checkpoint_inclusion/path/" + i0,schemaPath:"#/properties/checkpoint_inclusion/properties/path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/checkpoint_inclusion/path/" + i0,schemaPath:"#/properties/checkpoint_inclusion/properties/path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/checkpoint_inclusion/path",schemaPath:"#/properties/checkpoint_inclusion/properties/path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/checkpoint_inclusion",schemaPath:"#/properties/checkpoint_inclusion/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
if(data.checkpoint !== undefined){
if(!(validate61(data.checkpoint, {instancePath:instancePath+"/checkpoint",parentData:data,parentDataProperty:"checkpoint",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : joined(vErrors, validate61.errors);
errors = vErrors.length;
}
}
if(data.last_window !== undefined){
let data11 = data.last_window;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.window === undefined){
const err22 = {instancePath:instancePath+"/last_window",schemaPath:"#/properties/last_window/required",keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
if(data11.path === undefined){
const err23 = {instancePath:instancePath+"/last_window",schemaPath:"#/properties/last_window/required",keyword:"required",params:{missingProperty: "path"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
for(const key2 in data11){
if(!((key2 === "window") || (key2 === "path"))){
const err24 = {instancePath:instancePath+"/last_window",schemaPath:"#/properties/last_window/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
if(data11.window !== undefined){
if(!(validate58(data11.window, {instancePath:instancePath+"/last_window/window",parentData:data11,parentDataProperty:"window",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate58.errors : joined(vErrors, validate58.errors);
errors = vErrors.length;
}
}
if(data11.path !== undefined){
let data13 = data11.path;
if(Array.isArray(data13)){
const len1 = data13.length;
for(let i1=0; i1<len1; i1++){
let data14 = data13[i1];
if(typeof data14 === "string"){
if(!pattern6.test(data14)){
const err25 = {instancePath:instancePath+"/last_window/path/" + i1,schemaPath:"#/properties/last_window/properties/path/items/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/last_window/path/" + i1,schemaPath:"#/properties/last_window/properties/path/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/last_window/path",schemaPath:"#/properties/last_window/properties/path/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
}
else {
const err28 = {instancePath:instancePath+"/last_window",schemaPath:"#/properties/last_window/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
if(data.witnesses !== undefined){
let data15 = data.witnesses;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(data15.policies === undefined){
const err29 = {instancePath:instancePath+"/witnesses",schemaPath:"#/properties/witnesses/required",keyword:"required",params:{missingProperty: "policies"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
if(data15.witness_policies === undefined){
const err30 = {instancePath:instancePath+"/witnesses",schemaPath:"#/properties/witnesses/required",keyword:"required",params:{missingProperty: "witness_policies"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
if(data15.statements === undefined){
const err31 = {instancePath:instancePath+"/witnesses",schemaPath:"#/properties/witnesses/required",keyword:"required",params:{missingProperty: "statements"}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
for(const key3 in data15){
if(!(((key3 === "policies") || (key3 === "witness_policies")) || (key3 === "statements"))){
const err32 = {instancePath:instancePath+"/witnesses",schemaPath:"#/properties/witnesses/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
}
if(data15.policies !== undefined){
let data16 = data15.policies;
if(Array.isArray(data16)){
const len2 = data16.length;
for(let i2=0; i2<len2; i2++){
if(!(validate67(data16[i2], {instancePath:instancePath+"/witnesses/policies/" + i2,parentData:data16,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : joined(vErrors, validate67.errors);
errors = vErrors.length;
}
}
}
else {
const err33 = {instancePath:instancePath+"/witnesses/policies",schemaPath:"#/properties/witnesses/properties/policies/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
if(data15.witness_policies !== undefined){
let data18 = data15.witness_policies;
if(Array.isArray(data18)){
const len3 = data18.length;
for(let i3=0; i3<len3; i3++){
if(!(validate68(data18[i3], {instancePath:instancePath+"/witnesses/witness_policies/" + i3,parentData:data18,parentDataProperty:i3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : joined(vErrors, validate68.errors);
errors = vErrors.length;
}
}
}
else {
const err34 = {instancePath:instancePath+"/witnesses/witness_policies",schemaPath:"#/properties/witnesses/properties/witness_policies/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
}
if(data15.statements !== undefined){
let data20 = data15.statements;
if(Array.isArray(data20)){
const len4 = data20.length;
for(let i4=0; i4<len4; i4++){
if(!(validate66(data20[i4], {instancePath:instancePath+"/witnesses/statements/" + i4,parentData:data20,parentDataProperty:i4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : joined(vErrors, validate66.errors);
errors = vErrors.length;
}
}
}
else {
const err35 = {instancePath:instancePath+"/witnesses/statements",schemaPath:"#/properties/witnesses/properties/statements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/witnesses",schemaPath:"#/properties/witnesses/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
}
if(data.anchor !== undefined){
if(!(validate69(data.anchor, {instancePath:instancePath+"/anchor",parentData:data,parentDataProperty:"anchor",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : joined(vErrors, validate69.errors);
errors = vErrors.length;
}
}
if(data.key_hints !== undefined){
let data23 = data.key_hints;
if(Array.isArray(data23)){
const len5 = data23.length;
for(let i5=0; i5<len5; i5++){
let data24 = data23[i5];
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.kid === undefined){
const err37 = {instancePath:instancePath+"/key_hints/" + i5,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
if(data24.public_key_hex === undefined){
const err38 = {instancePath:instancePath+"/key_hints/" + i5,schemaPath:"#/properties/key_hints/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
for(const key4 in data24){
if(!((key4 === "kid") || (key4 === "public_key_hex"))){
const err39 = {instancePath:instancePath+"/key_hints/" + i5,schemaPath:"#/properties/key_hints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
if(data24.kid !== undefined){
let data25 = data24.kid;
if(typeof data25 === "string"){
if(!pattern10.test(data25)){
const err40 = {instancePath:instancePath+"/key_hints/" + i5+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/key_hints/" + i5+"/kid",schemaPath:"#/properties/key_hints/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
}
if(data24.public_key_hex !== undefined){
let data26 = data24.public_key_hex;
if(typeof data26 === "string"){
if(!pattern6.test(data26)){
const err42 = {instancePath:instancePath+"/key_hints/" + i5+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/key_hints/" + i5+"/public_key_hex",schemaPath:"#/properties/key_hints/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
}
}
else {
const err44 = {instancePath:instancePath+"/key_hints/" + i5,schemaPath:"#/properties/key_hints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/key_hints",schemaPath:"#/properties/key_hints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
if(data.key_endorsements !== undefined){
let data27 = data.key_endorsements;
if(Array.isArray(data27)){
const len6 = data27.length;
for(let i6=0; i6<len6; i6++){
if(!(validate56(data27[i6], {instancePath:instancePath+"/key_endorsements/" + i6,parentData:data27,parentDataProperty:i6,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : joined(vErrors, validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err46 = {instancePath:instancePath+"/key_endorsements",schemaPath:"#/properties/key_endorsements/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
if(data.inclusion !== undefined){
if(data.inclusion === undefined){
const err47 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "inclusion",
    missingProperty: "inclusion",
    depsCount: 2,
    deps: "inclusion, window"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
if(data.window === undefined){
const err48 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "inclusion",
    missingProperty: "window",
    depsCount: 2,
    deps: "inclusion, window"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
}
if(data.window !== undefined){
if(data.inclusion === undefined){
const err49 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "window",
    missingProperty: "inclusion",
    depsCount: 2,
    deps: "inclusion, window"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
if(data.window === undefined){
const err50 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "window",
    missingProperty: "window",
    depsCount: 2,
    deps: "inclusion, window"}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
if(data.checkpoint_inclusion !== undefined){
if(data.inclusion === undefined){
const err51 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint_inclusion",
    missingProperty: "inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
if(data.window === undefined){
const err52 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint_inclusion",
    missingProperty: "window",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
if(data.checkpoint_inclusion === undefined){
const err53 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint_inclusion",
    missingProperty: "checkpoint_inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
if(data.checkpoint === undefined){
const err54 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint_inclusion",
    missingProperty: "checkpoint",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err54];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err54); }
errors++;
}
}
if(data.checkpoint !== undefined){
if(data.inclusion === undefined){
const err55 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint",
    missingProperty: "inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err55];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err55); }
errors++;
}
if(data.window === undefined){
const err56 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint",
    missingProperty: "window",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err56];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err56); }
errors++;
}
if(data.checkpoint_inclusion === undefined){
const err57 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint",
    missingProperty: "checkpoint_inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err57];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err57); }
errors++;
}
if(data.checkpoint === undefined){
const err58 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "checkpoint",
    missingProperty: "checkpoint",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err58];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err58); }
errors++;
}
}
if(data.last_window !== undefined){
if(data.inclusion === undefined){
const err59 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "last_window",
    missingProperty: "inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err59];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err59); }
errors++;
}
if(data.window === undefined){
const err60 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "last_window",
    missingProperty: "window",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err60];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err60); }
errors++;
}
if(data.checkpoint_inclusion === undefined){
const err61 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "last_window",
    missingProperty: "checkpoint_inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err61];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err61); }
errors++;
}
if(data.checkpoint === undefined){
const err62 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "last_window",
    missingProperty: "checkpoint",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err62];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err62); }
errors++;
}
}
if(data.witnesses !== undefined){
if(data.inclusion === undefined){
const err63 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "witnesses",
    missingProperty: "inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err63];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err63); }
errors++;
}
if(data.window === undefined){
const err64 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "witnesses",
    missingProperty: "window",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err64];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err64); }
errors++;
}
if(data.checkpoint_inclusion === undefined){
const err65 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "witnesses",
    missingProperty: "checkpoint_inclusion",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err65];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err65); }
errors++;
}
if(data.checkpoint === undefined){
const err66 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "witnesses",
    missingProperty: "checkpoint",
    depsCount: 4,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint"}};
if(vErrors === null){
vErrors = [err66];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err66); }
errors++;
}
}
if(data.anchor !== undefined){
if(data.inclusion === undefined){
const err67 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "anchor",
    missingProperty: "inclusion",
    depsCount: 5,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint, witnesses"}};
if(vErrors === null){
vErrors = [err67];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err67); }
errors++;
}
if(data.window === undefined){
const err68 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "anchor",
    missingProperty: "window",
    depsCount: 5,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint, witnesses"}};
if(vErrors === null){
vErrors = [err68];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err68); }
errors++;
}
if(data.checkpoint_inclusion === undefined){
const err69 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "anchor",
    missingProperty: "checkpoint_inclusion",
    depsCount: 5,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint, witnesses"}};
if(vErrors === null){
vErrors = [err69];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err69); }
errors++;
}
if(data.checkpoint === undefined){
const err70 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "anchor",
    missingProperty: "checkpoint",
    depsCount: 5,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint, witnesses"}};
if(vErrors === null){
vErrors = [err70];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err70); }
errors++;
}
if(data.witnesses === undefined){
const err71 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "anchor",
    missingProperty: "witnesses",
    depsCount: 5,
    deps: "inclusion, window, checkpoint_inclusion, checkpoint, witnesses"}};
if(vErrors === null){
vErrors = [err71];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err71); }
errors++;
}
}
}
else {
const err72 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err72];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err72); }
errors++;
}
validate87.errors = vErrors;
return errors === 0;
}
validate87.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const trust_policy = validate98;
const schema35 = {"type":"object","required":["signers"],"properties":{"signers":{"type":"array","items":{"type":"object","required":["kid","public_key_hex"],"properties":{"kid":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"},"origin":{"type":"string","format":"origin","description":"a schema-less URL in printable ASCII without spaces or +"},"streams":{"type":"array","items":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"}},"valid_to":{"type":"string","format":"service-time","description":"YYYY-MM-DDTHH:MM:SS.mmmZ, a real date"},"endorse":{"type":"boolean"}},"additionalProperties":false}},"revoked":{"type":"array","items":{"type":"string","pattern":"^ed25519-[0-9a-f]{16}$","description":"ed25519- and 16 lowercase hex characters"}},"witnesses":{"type":"array","items":{"type":"object","required":["name","public_key_hex"],"properties":{"name":{"type":"string","format":"key-name","description":"a C2SP key name: no spaces, no +"},"public_key_hex":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"quorum":{"type":["integer","string"],"minimum":1,"maximum":9007199254740991},"blocks":{"type":"array","items":{"type":"object","required":["network","number","hash"],"properties":{"network":{"type":"string","pattern":"^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$","description":"a CAIP-2 identifier, as eip155:1"},"number":{"type":"integer","minimum":0,"maximum":9007199254740991},"hash":{"type":"string","pattern":"^0x[0-9a-f]{64}$","description":"0x and 64 lowercase hex characters"}},"additionalProperties":false}},"contracts":{"type":"array","items":{"type":"object","required":["network","address","code_hash"],"properties":{"network":{"type":"string","pattern":"^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$","description":"a CAIP-2 identifier, as eip155:1"},"address":{"type":"string","pattern":"^0x[0-9a-f]{40}$","description":"0x and 40 lowercase hex characters"},"code_hash":{"type":"string","pattern":"^0x[0-9a-f]{64}$","description":"0x and 64 lowercase hex characters"}},"additionalProperties":false}},"require":{"type":"array","items":{"enum":["included","witnessed","published","anchored"],"description":"one of included, witnessed, published, anchored"}},"known_checkpoints":{"type":"array","items":{"type":"object","required":["stream_id","window_count","checkpoint_root"],"properties":{"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"window_count":{"type":"integer","minimum":1,"maximum":9007199254740991},"checkpoint_root":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"64 lowercase hex characters"}},"additionalProperties":false}},"expect":{"type":"object","properties":{"stream_id":{"type":"string","pattern":"^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$","description":"str_ and a lowercase ULID"},"from_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991},"to_seq_no":{"type":"integer","minimum":1,"maximum":9007199254740991}},"additionalProperties":false}},"$id":"trust-policy","additionalProperties":false};

function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="trust-policy" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate98.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.signers === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "signers"}};
if(vErrors === null){
vErrors = [err0];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err0); }
errors++;
}
for(const key0 in data){
if(!(func1.call(schema35.properties, key0))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err1); }
errors++;
}
}
if(data.signers !== undefined){
let data0 = data.signers;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kid === undefined){
const err2 = {instancePath:instancePath+"/signers/" + i0,schemaPath:"#/properties/signers/items/required",keyword:"required",params:{missingProperty: "kid"}};
if(vErrors === null){
vErrors = [err2];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err2); }
errors++;
}
if(data1.public_key_hex === undefined){
const err3 = {instancePath:instancePath+"/signers/" + i0,schemaPath:"#/properties/signers/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err3];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err3); }
errors++;
}
for(const key1 in data1){
if(!((((((key1 === "kid") || (key1 === "public_key_hex")) || (key1 === "origin")) || (key1 === "streams")) || (key1 === "valid_to")) || (key1 === "endorse"))){
const err4 = {instancePath:instancePath+"/signers/" + i0,schemaPath:"#/properties/signers/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err4];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err4); }
errors++;
}
}
if(data1.kid !== undefined){
let data2 = data1.kid;
if(typeof data2 === "string"){
if(!pattern10.test(data2)){
const err5 = {instancePath:instancePath+"/signers/" + i0+"/kid",schemaPath:"#/properties/signers/items/properties/kid/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err5];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err5); }
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/signers/" + i0+"/kid",schemaPath:"#/properties/signers/items/properties/kid/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err6); }
errors++;
}
}
if(data1.public_key_hex !== undefined){
let data3 = data1.public_key_hex;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err7 = {instancePath:instancePath+"/signers/" + i0+"/public_key_hex",schemaPath:"#/properties/signers/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err7];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err7); }
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/signers/" + i0+"/public_key_hex",schemaPath:"#/properties/signers/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err8); }
errors++;
}
}
if(data1.origin !== undefined){
let data4 = data1.origin;
if(typeof data4 === "string"){
if(!(formats16(data4))){
const err9 = {instancePath:instancePath+"/signers/" + i0+"/origin",schemaPath:"#/properties/signers/items/properties/origin/format",keyword:"format",params:{format: "origin"}};
if(vErrors === null){
vErrors = [err9];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err9); }
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/signers/" + i0+"/origin",schemaPath:"#/properties/signers/items/properties/origin/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err10); }
errors++;
}
}
if(data1.streams !== undefined){
let data5 = data1.streams;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
let data6 = data5[i1];
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
const err11 = {instancePath:instancePath+"/signers/" + i0+"/streams/" + i1,schemaPath:"#/properties/signers/items/properties/streams/items/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err11];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err11); }
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/signers/" + i0+"/streams/" + i1,schemaPath:"#/properties/signers/items/properties/streams/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err12); }
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/signers/" + i0+"/streams",schemaPath:"#/properties/signers/items/properties/streams/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err13];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err13); }
errors++;
}
}
if(data1.valid_to !== undefined){
let data7 = data1.valid_to;
if(typeof data7 === "string"){
if(!(formats4(data7))){
const err14 = {instancePath:instancePath+"/signers/" + i0+"/valid_to",schemaPath:"#/properties/signers/items/properties/valid_to/format",keyword:"format",params:{format: "service-time"}};
if(vErrors === null){
vErrors = [err14];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err14); }
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/signers/" + i0+"/valid_to",schemaPath:"#/properties/signers/items/properties/valid_to/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err15); }
errors++;
}
}
if(data1.endorse !== undefined){
if(typeof data1.endorse !== "boolean"){
const err16 = {instancePath:instancePath+"/signers/" + i0+"/endorse",schemaPath:"#/properties/signers/items/properties/endorse/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err16];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err16); }
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/signers/" + i0,schemaPath:"#/properties/signers/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err17); }
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/signers",schemaPath:"#/properties/signers/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err18];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err18); }
errors++;
}
}
if(data.revoked !== undefined){
let data9 = data.revoked;
if(Array.isArray(data9)){
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
if(typeof data10 === "string"){
if(!pattern10.test(data10)){
const err19 = {instancePath:instancePath+"/revoked/" + i2,schemaPath:"#/properties/revoked/items/pattern",keyword:"pattern",params:{pattern: "^ed25519-[0-9a-f]{16}$"}};
if(vErrors === null){
vErrors = [err19];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err19); }
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/revoked/" + i2,schemaPath:"#/properties/revoked/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err20); }
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/revoked",schemaPath:"#/properties/revoked/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err21];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err21); }
errors++;
}
}
if(data.witnesses !== undefined){
let data11 = data.witnesses;
if(Array.isArray(data11)){
const len3 = data11.length;
for(let i3=0; i3<len3; i3++){
let data12 = data11[i3];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.name === undefined){
const err22 = {instancePath:instancePath+"/witnesses/" + i3,schemaPath:"#/properties/witnesses/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err22];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err22); }
errors++;
}
if(data12.public_key_hex === undefined){
const err23 = {instancePath:instancePath+"/witnesses/" + i3,schemaPath:"#/properties/witnesses/items/required",keyword:"required",params:{missingProperty: "public_key_hex"}};
if(vErrors === null){
vErrors = [err23];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err23); }
errors++;
}
for(const key2 in data12){
if(!((key2 === "name") || (key2 === "public_key_hex"))){
const err24 = {instancePath:instancePath+"/witnesses/" + i3,schemaPath:"#/properties/witnesses/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err24];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err24); }
errors++;
}
}
if(data12.name !== undefined){
let data13 = data12.name;
if(typeof data13 === "string"){
if(!(formats20(data13))){
const err25 = {instancePath:instancePath+"/witnesses/" + i3+"/name",schemaPath:"#/properties/witnesses/items/properties/name/format",keyword:"format",params:{format: "key-name"}};
if(vErrors === null){
vErrors = [err25];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err25); }
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/witnesses/" + i3+"/name",schemaPath:"#/properties/witnesses/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err26); }
errors++;
}
}
if(data12.public_key_hex !== undefined){
let data14 = data12.public_key_hex;
if(typeof data14 === "string"){
if(!pattern6.test(data14)){
const err27 = {instancePath:instancePath+"/witnesses/" + i3+"/public_key_hex",schemaPath:"#/properties/witnesses/items/properties/public_key_hex/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err27];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err27); }
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/witnesses/" + i3+"/public_key_hex",schemaPath:"#/properties/witnesses/items/properties/public_key_hex/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err28];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err28); }
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/witnesses/" + i3,schemaPath:"#/properties/witnesses/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err29];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err29); }
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/witnesses",schemaPath:"#/properties/witnesses/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err30];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err30); }
errors++;
}
}
if(data.quorum !== undefined){
let data15 = data.quorum;
if((!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))) && (typeof data15 !== "string")){
const err31 = {instancePath:instancePath+"/quorum",schemaPath:"#/properties/quorum/type",keyword:"type",params:{type: schema35.properties.quorum.type}};
if(vErrors === null){
vErrors = [err31];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err31); }
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 9007199254740991 || isNaN(data15)){
const err32 = {instancePath:instancePath+"/quorum",schemaPath:"#/properties/quorum/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err32];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err32); }
errors++;
}
if(data15 < 1 || isNaN(data15)){
const err33 = {instancePath:instancePath+"/quorum",schemaPath:"#/properties/quorum/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err33];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err33); }
errors++;
}
}
}
if(data.blocks !== undefined){
let data16 = data.blocks;
if(Array.isArray(data16)){
const len4 = data16.length;
for(let i4=0; i4<len4; i4++){
let data17 = data16[i4];
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if(data17.network === undefined){
const err34 = {instancePath:instancePath+"/blocks/" + i4,schemaPath:"#/properties/blocks/items/required",keyword:"required",params:{missingProperty: "network"}};
if(vErrors === null){
vErrors = [err34];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err34); }
errors++;
}
if(data17.number === undefined){
const err35 = {instancePath:instancePath+"/blocks/" + i4,schemaPath:"#/properties/blocks/items/required",keyword:"required",params:{missingProperty: "number"}};
if(vErrors === null){
vErrors = [err35];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err35); }
errors++;
}
if(data17.hash === undefined){
const err36 = {instancePath:instancePath+"/blocks/" + i4,schemaPath:"#/properties/blocks/items/required",keyword:"required",params:{missingProperty: "hash"}};
if(vErrors === null){
vErrors = [err36];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err36); }
errors++;
}
for(const key3 in data17){
if(!(((key3 === "network") || (key3 === "number")) || (key3 === "hash"))){
const err37 = {instancePath:instancePath+"/blocks/" + i4,schemaPath:"#/properties/blocks/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err37];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err37); }
errors++;
}
}
if(data17.network !== undefined){
let data18 = data17.network;
if(typeof data18 === "string"){
if(!pattern73.test(data18)){
const err38 = {instancePath:instancePath+"/blocks/" + i4+"/network",schemaPath:"#/properties/blocks/items/properties/network/pattern",keyword:"pattern",params:{pattern: "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$"}};
if(vErrors === null){
vErrors = [err38];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err38); }
errors++;
}
}
else {
const err39 = {instancePath:instancePath+"/blocks/" + i4+"/network",schemaPath:"#/properties/blocks/items/properties/network/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err39];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err39); }
errors++;
}
}
if(data17.number !== undefined){
let data19 = data17.number;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
const err40 = {instancePath:instancePath+"/blocks/" + i4+"/number",schemaPath:"#/properties/blocks/items/properties/number/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err40];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err40); }
errors++;
}
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 9007199254740991 || isNaN(data19)){
const err41 = {instancePath:instancePath+"/blocks/" + i4+"/number",schemaPath:"#/properties/blocks/items/properties/number/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err41];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err41); }
errors++;
}
if(data19 < 0 || isNaN(data19)){
const err42 = {instancePath:instancePath+"/blocks/" + i4+"/number",schemaPath:"#/properties/blocks/items/properties/number/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err42];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err42); }
errors++;
}
}
}
if(data17.hash !== undefined){
let data20 = data17.hash;
if(typeof data20 === "string"){
if(!pattern75.test(data20)){
const err43 = {instancePath:instancePath+"/blocks/" + i4+"/hash",schemaPath:"#/properties/blocks/items/properties/hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err43];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err43); }
errors++;
}
}
else {
const err44 = {instancePath:instancePath+"/blocks/" + i4+"/hash",schemaPath:"#/properties/blocks/items/properties/hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err44];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err44); }
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/blocks/" + i4,schemaPath:"#/properties/blocks/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err45];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err45); }
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err46); }
errors++;
}
}
if(data.contracts !== undefined){
let data21 = data.contracts;
if(Array.isArray(data21)){
const len5 = data21.length;
for(let i5=0; i5<len5; i5++){
let data22 = data21[i5];
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.network === undefined){
const err47 = {instancePath:instancePath+"/contracts/" + i5,schemaPath:"#/properties/contracts/items/required",keyword:"required",params:{missingProperty: "network"}};
if(vErrors === null){
vErrors = [err47];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err47); }
errors++;
}
if(data22.address === undefined){
const err48 = {instancePath:instancePath+"/contracts/" + i5,schemaPath:"#/properties/contracts/items/required",keyword:"required",params:{missingProperty: "address"}};
if(vErrors === null){
vErrors = [err48];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err48); }
errors++;
}
if(data22.code_hash === undefined){
const err49 = {instancePath:instancePath+"/contracts/" + i5,schemaPath:"#/properties/contracts/items/required",keyword:"required",params:{missingProperty: "code_hash"}};
if(vErrors === null){
vErrors = [err49];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err49); }
errors++;
}
for(const key4 in data22){
if(!(((key4 === "network") || (key4 === "address")) || (key4 === "code_hash"))){
const err50 = {instancePath:instancePath+"/contracts/" + i5,schemaPath:"#/properties/contracts/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err50];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err50); }
errors++;
}
}
if(data22.network !== undefined){
let data23 = data22.network;
if(typeof data23 === "string"){
if(!pattern73.test(data23)){
const err51 = {instancePath:instancePath+"/contracts/" + i5+"/network",schemaPath:"#/properties/contracts/items/properties/network/pattern",keyword:"pattern",params:{pattern: "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$"}};
if(vErrors === null){
vErrors = [err51];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err51); }
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/contracts/" + i5+"/network",schemaPath:"#/properties/contracts/items/properties/network/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err52];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err52); }
errors++;
}
}
if(data22.address !== undefined){
let data24 = data22.address;
if(typeof data24 === "string"){
if(!pattern74.test(data24)){
const err53 = {instancePath:instancePath+"/contracts/" + i5+"/address",schemaPath:"#/properties/contracts/items/properties/address/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{40}$"}};
if(vErrors === null){
vErrors = [err53];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err53); }
errors++;
}
}
else {
const err54 = {instancePath:instancePath+"/contracts/" + i5+"/address",schemaPath:"#/properties/contracts/items/properties/address/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err54];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err54); }
errors++;
}
}
if(data22.code_hash !== undefined){
let data25 = data22.code_hash;
if(typeof data25 === "string"){
if(!pattern75.test(data25)){
const err55 = {instancePath:instancePath+"/contracts/" + i5+"/code_hash",schemaPath:"#/properties/contracts/items/properties/code_hash/pattern",keyword:"pattern",params:{pattern: "^0x[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err55];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err55); }
errors++;
}
}
else {
const err56 = {instancePath:instancePath+"/contracts/" + i5+"/code_hash",schemaPath:"#/properties/contracts/items/properties/code_hash/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err56];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err56); }
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/contracts/" + i5,schemaPath:"#/properties/contracts/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err57];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err57); }
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/contracts",schemaPath:"#/properties/contracts/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err58];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err58); }
errors++;
}
}
if(data.require !== undefined){
let data26 = data.require;
if(Array.isArray(data26)){
const len6 = data26.length;
for(let i6=0; i6<len6; i6++){
let data27 = data26[i6];
if(!((((data27 === "included") || (data27 === "witnessed")) || (data27 === "published")) || (data27 === "anchored"))){
const err59 = {instancePath:instancePath+"/require/" + i6,schemaPath:"#/properties/require/items/enum",keyword:"enum",params:{allowedValues: schema35.properties.require.items.enum}};
if(vErrors === null){
vErrors = [err59];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err59); }
errors++;
}
}
}
else {
const err60 = {instancePath:instancePath+"/require",schemaPath:"#/properties/require/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err60];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err60); }
errors++;
}
}
if(data.known_checkpoints !== undefined){
let data28 = data.known_checkpoints;
if(Array.isArray(data28)){
const len7 = data28.length;
for(let i7=0; i7<len7; i7++){
let data29 = data28[i7];
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.stream_id === undefined){
const err61 = {instancePath:instancePath+"/known_checkpoints/" + i7,schemaPath:"#/properties/known_checkpoints/items/required",keyword:"required",params:{missingProperty: "stream_id"}};
if(vErrors === null){
vErrors = [err61];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err61); }
errors++;
}
if(data29.window_count === undefined){
const err62 = {instancePath:instancePath+"/known_checkpoints/" + i7,schemaPath:"#/properties/known_checkpoints/items/required",keyword:"required",params:{missingProperty: "window_count"}};
if(vErrors === null){
vErrors = [err62];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err62); }
errors++;
}
if(data29.checkpoint_root === undefined){
const err63 = {instancePath:instancePath+"/known_checkpoints/" + i7,schemaPath:"#/properties/known_checkpoints/items/required",keyword:"required",params:{missingProperty: "checkpoint_root"}};
if(vErrors === null){
vErrors = [err63];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err63); }
errors++;
}
for(const key5 in data29){
if(!(((key5 === "stream_id") || (key5 === "window_count")) || (key5 === "checkpoint_root"))){
const err64 = {instancePath:instancePath+"/known_checkpoints/" + i7,schemaPath:"#/properties/known_checkpoints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err64];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err64); }
errors++;
}
}
if(data29.stream_id !== undefined){
let data30 = data29.stream_id;
if(typeof data30 === "string"){
if(!pattern4.test(data30)){
const err65 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/stream_id",schemaPath:"#/properties/known_checkpoints/items/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err65];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err65); }
errors++;
}
}
else {
const err66 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/stream_id",schemaPath:"#/properties/known_checkpoints/items/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err66];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err66); }
errors++;
}
}
if(data29.window_count !== undefined){
let data31 = data29.window_count;
if(!(((typeof data31 == "number") && (!(data31 % 1) && !isNaN(data31))) && (isFinite(data31)))){
const err67 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/window_count",schemaPath:"#/properties/known_checkpoints/items/properties/window_count/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err67];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err67); }
errors++;
}
if((typeof data31 == "number") && (isFinite(data31))){
if(data31 > 9007199254740991 || isNaN(data31)){
const err68 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/window_count",schemaPath:"#/properties/known_checkpoints/items/properties/window_count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err68];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err68); }
errors++;
}
if(data31 < 1 || isNaN(data31)){
const err69 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/window_count",schemaPath:"#/properties/known_checkpoints/items/properties/window_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err69];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err69); }
errors++;
}
}
}
if(data29.checkpoint_root !== undefined){
let data32 = data29.checkpoint_root;
if(typeof data32 === "string"){
if(!pattern6.test(data32)){
const err70 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/checkpoint_root",schemaPath:"#/properties/known_checkpoints/items/properties/checkpoint_root/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err70];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err70); }
errors++;
}
}
else {
const err71 = {instancePath:instancePath+"/known_checkpoints/" + i7+"/checkpoint_root",schemaPath:"#/properties/known_checkpoints/items/properties/checkpoint_root/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err71];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err71); }
errors++;
}
}
}
else {
const err72 = {instancePath:instancePath+"/known_checkpoints/" + i7,schemaPath:"#/properties/known_checkpoints/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err72];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err72); }
errors++;
}
}
}
else {
const err73 = {instancePath:instancePath+"/known_checkpoints",schemaPath:"#/properties/known_checkpoints/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err73];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err73); }
errors++;
}
}
if(data.expect !== undefined){
let data33 = data.expect;
if(data33 && typeof data33 == "object" && !Array.isArray(data33)){
for(const key6 in data33){
if(!(((key6 === "stream_id") || (key6 === "from_seq_no")) || (key6 === "to_seq_no"))){
const err74 = {instancePath:instancePath+"/expect",schemaPath:"#/properties/expect/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err74];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err74); }
errors++;
}
}
if(data33.stream_id !== undefined){
let data34 = data33.stream_id;
if(typeof data34 === "string"){
if(!pattern4.test(data34)){
const err75 = {instancePath:instancePath+"/expect/stream_id",schemaPath:"#/properties/expect/properties/stream_id/pattern",keyword:"pattern",params:{pattern: "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$"}};
if(vErrors === null){
vErrors = [err75];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err75); }
errors++;
}
}
else {
const err76 = {instancePath:instancePath+"/expect/stream_id",schemaPath:"#/properties/expect/properties/stream_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err76];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err76); }
errors++;
}
}
if(data33.from_seq_no !== undefined){
let data35 = data33.from_seq_no;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err77 = {instancePath:instancePath+"/expect/from_seq_no",schemaPath:"#/properties/expect/properties/from_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err77];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err77); }
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 9007199254740991 || isNaN(data35)){
const err78 = {instancePath:instancePath+"/expect/from_seq_no",schemaPath:"#/properties/expect/properties/from_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err78];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err78); }
errors++;
}
if(data35 < 1 || isNaN(data35)){
const err79 = {instancePath:instancePath+"/expect/from_seq_no",schemaPath:"#/properties/expect/properties/from_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err79];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err79); }
errors++;
}
}
}
if(data33.to_seq_no !== undefined){
let data36 = data33.to_seq_no;
if(!(((typeof data36 == "number") && (!(data36 % 1) && !isNaN(data36))) && (isFinite(data36)))){
const err80 = {instancePath:instancePath+"/expect/to_seq_no",schemaPath:"#/properties/expect/properties/to_seq_no/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err80];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err80); }
errors++;
}
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 9007199254740991 || isNaN(data36)){
const err81 = {instancePath:instancePath+"/expect/to_seq_no",schemaPath:"#/properties/expect/properties/to_seq_no/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err81];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err81); }
errors++;
}
if(data36 < 1 || isNaN(data36)){
const err82 = {instancePath:instancePath+"/expect/to_seq_no",schemaPath:"#/properties/expect/properties/to_seq_no/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err82];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err82); }
errors++;
}
}
}
}
else {
const err83 = {instancePath:instancePath+"/expect",schemaPath:"#/properties/expect/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err83];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err83); }
errors++;
}
}
}
else {
const err84 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err84];
}
else if (vErrors.length < MAX_ERRORS) { vErrors.push(err84); }
errors++;
}
validate98.errors = vErrors;
return errors === 0;
}
validate98.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

